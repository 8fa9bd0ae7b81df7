// Precompiled for every test: QtTest alone takes longer to read than most tests.
#pragma once
#include "router/pch.h"

#include <QtTest/QtTest>

// Precompiled for every test of ui.
#pragma once
#include "tests/pch.h"

#include <QtWidgets>

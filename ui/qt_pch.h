// Precompiled for every ui target: the Qt headers nearly all of them use.
#pragma once
#include <QtCore>
#include <QtWidgets>

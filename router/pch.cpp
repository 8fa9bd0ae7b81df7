// SPDX-License-Identifier: MIT
// Empty on purpose: a target needs a source to own the precompiled header of router/.

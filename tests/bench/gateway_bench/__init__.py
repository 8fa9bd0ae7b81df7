# SPDX-License-Identifier: MIT
"""Parts of tests/bench/gateway: contestants, three kinds of load, what /proc says, and the table."""

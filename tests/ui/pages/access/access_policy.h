// SPDX-License-Identifier: MIT
#pragma once

/// The gateway.toml of these tests, beside the demo's table.
inline constexpr const char* kAccessPolicy = R"toml(# access
[server]
auth = "token"

[providers.lab]
protocol = "simulated"
models = ["gemma-4-26b", "gemma-4-31b"]

[providers.cloud]
base_url = "https://api.cloud.example:8443/v1"
api_key_env = "CLOUD_KEY"
api_key_required = true
models = ["flash"]
tool_use = { supported = true, parallel_tool_calls = false }

[providers.cloud.capabilities]
vision = true
context_tokens = 128000

[providers.cloud.model_pricing."flash"]
input_per_million = 0.28  # from the price list
output_per_million = 0.42
effective_at = 2026-01-01
source = "price list"

[providers.empty]
models = []

[aliases]
fast = "cloud:flash"

[routing.groups.auto]
aliases = ["auto"]
candidates = [{ provider = "cloud", model = "flash" }]

[principals.support-bot]
team = "support"
token_env = "SUPPORT_TOKEN"   # not the token itself
requests_per_minute = 600
monthly_budget_soft_usd = 40
monthly_budget_hard_usd = 50

[principals.research]
token_sha256 = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
allowed_groups = ["auto"]
allowed_models = []
may_pin = true
)toml";

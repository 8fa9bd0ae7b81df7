# SPDX-License-Identifier: MIT
"""What is asked and answered: exactly as many bytes as the table says."""
import json

PATH = "/v1/chat/completions"
BIG = "/big"  # before PATH: the same with 100 KB each way
TOKEN = "bench-token-0123456789abcdef"
SIZES = {"1 KB": 1024, "100 KB": 100 * 1024}
PLAIN_MODEL, OTHER_MODEL, BIG_MODEL, STREAM_MODEL = "gemma-4-26b", "bench-other", "bench-big", "bench-stream"
ALIAS, BIG_ALIAS, STREAM_ALIAS = "auto", "auto-big", "auto-stream"


def answer_body(size):
    """A chat completion of exactly so many bytes without any character that nginx would read as its own."""
    answer = {"id": "chatcmpl-bench", "object": "chat.completion", "created": 1700000000, "model": PLAIN_MODEL,
              "choices": [{"index": 0, "finish_reason": "stop",
                           "message": {"role": "assistant", "content": ""}}],
              "usage": {"prompt_tokens": 120, "completion_tokens": 180, "total_tokens": 300}}
    missing = size - len(json.dumps(answer))
    answer["choices"][0]["message"]["content"] = ("The line is clear. " * (missing // 19 + 1))[:missing]
    return json.dumps(answer)


def request_body(model, size, stream=False):
    """As a client sends it, two messages and the usual settings: so many bytes."""
    text = "Which trains pass the junction before noon, and which of them have to wait at the signal? "
    body = {"model": model, "temperature": 0.7, "max_tokens": 256, **({"stream": True} if stream else {}),
            "messages": [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": ""}]}
    missing = size - len(json.dumps(body))
    body["messages"][1]["content"] = (text * (missing // len(text) + 1))[:missing]
    return json.dumps(body)

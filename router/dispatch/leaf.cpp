// SPDX-License-Identifier: MIT
#include "router/dispatch/leaf.h"

#include "router/dispatch/composite.h"

namespace signalbox::dispatch {

Result<LeafBackend> LeafBackend::make(EndpointBinding binding) {
    // A moved-from binding still has its type but no longer its identity; only a whole one may execute.
    auto checked = EndpointBinding::make(binding.endpointId(), binding.modelId(), binding.adapter(),
                                         binding.poolId(), binding.generation());
    if (!checked) return tl::unexpected(std::move(checked.error()));
    if (dynamic_cast<const CompositeExecutor*>(checked->adapter().get()) != nullptr)
        return fail(ErrorKind::internal, "The adapter answers for several endpoints at once", checked->endpointId(),
                    "Hand it requests through a TreeBackend");
    return LeafBackend(std::move(*checked));
}

asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>>
LeafBackend::call(UpstreamRequest request) const {
    // The coroutine owns the adapter until the head is read, whatever happens to this leaf meanwhile.
    const std::shared_ptr<Adapter> adapter = m_binding.adapter();
    if (request.model != m_binding.modelId()) {
        UpstreamFailure failure;
        failure.kind = UpstreamFailure::Kind::composition;
        failure.code = "wrong_model";
        failure.message = "The request is for " + request.model + " but the leaf is bound to " + m_binding.endpointId();
        co_return tl::unexpected(std::move(failure));
    }
    co_return co_await adapter->call(std::move(request));
}

asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>>
LeafBackend::execute(Instruction instruction, UpstreamRequest request) const {
    if (auto wrong = checkLeafDispatch(instruction, m_binding)) co_return tl::unexpected(std::move(*wrong));
    // Owned by this coroutine, like the adapter in `call`.
    const LeafBackend self = *this;
    auto stream = co_await self.call(std::move(request));
    co_return stream;
}

}  // namespace signalbox::dispatch

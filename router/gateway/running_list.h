// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/running_request.h"

#include <boost/intrusive/list.hpp>

namespace signalbox::gateway {

/// The requests of one I/O thread that were admitted and have no record yet, oldest first. Everything happens on that
/// thread. To join and to leave writes some pointers: requests pay for nothing that only a look at them needs.
class RunningList {
    using Hook = boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

public:
    /// Of one request; leaves with its end. The record outlives the stay in the list.
    class Place : public Hook {
    public:
        Place(RunningList& list, const evidence::DecisionRecord& record, Steady admittedAt) : m_record(record), m_admittedAt(admittedAt) {
            list.m_places.push_back(*this);
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        void leave() { unlink(); }

    private:
        friend class RunningList;
        const evidence::DecisionRecord& m_record;
        Steady m_admittedAt;
    };

    [[nodiscard]] evidence::RunningRequests oldest(std::size_t most) const {
        evidence::RunningRequests out;
        for (const Place& place : m_places) {
            if (out.rows.size() < most)
                out.rows.push_back(evidence::runningRequest(place.m_record, place.m_admittedAt));
            else
                ++out.leftOut;
        }
        return out;
    }

private:
    boost::intrusive::list<Place, boost::intrusive::base_hook<Hook>, boost::intrusive::constant_time_size<false>> m_places;
};

} // namespace signalbox::gateway

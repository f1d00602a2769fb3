package dev.kopf4j.devcluster.strategy.core;

import tools.jackson.databind.JsonNode;

/** The names of some fields of events, which differ between the core group and events.k8s.io. */
record EventFields(String regarding, String reporter, String note) {
    static final EventFields CORE = new EventFields("involvedObject", "reportingComponent", "message");
    static final EventFields EVENTS_V1 = new EventFields("regarding", "reportingController", "note");

    /** Whether a field of an event has a value. */
    static boolean isSet(JsonNode event, String field) {
        JsonNode value = event.path(field);
        return !value.isMissingNode() && !value.isNull();
    }
}

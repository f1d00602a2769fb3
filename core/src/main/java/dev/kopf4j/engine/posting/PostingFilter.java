package dev.kopf4j.engine.posting;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.object.ObjectReference;

/**
 * Which events are posted at all. Thread-safe.
 *
 * @param settings whether events are posted, and from which level on
 */
record PostingFilter(OperatorSettings.Posting settings) {
    boolean passes(ObjectEvent event) {
        return settings.enabled() && isSevereEnough(event) && !isAboutEvent(event.object());
    }

    private boolean isSevereEnough(ObjectEvent event) {
        return event.level() == null
                || event.level().toInt() >= settings.level().toInt();
    }

    /** Events about events would never end. */
    private static boolean isAboutEvent(ObjectReference object) {
        String version = object.apiVersion();
        return "Event".equals(object.kind())
                && version != null
                && (version.equals("v1") || version.startsWith("events.k8s.io/"));
    }
}

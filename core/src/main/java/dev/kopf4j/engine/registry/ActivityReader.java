package dev.kopf4j.engine.registry;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityDefinition;
import dev.kopf4j.HandlerDefinitionException;

/** Turns one annotation of an activity into a definition. Pure. */
final class ActivityReader {
    private ActivityReader() {}

    static ActivityDefinition read(Activity activity, Attributes attributes, String where) {
        try {
            String id = attributes.text("id");
            String param = attributes.text("param");
            return new ActivityDefinition(
                    activity,
                    id.isEmpty() ? null : id,
                    param.isEmpty() ? null : param,
                    attributes.errors(),
                    attributes.duration("timeout"),
                    attributes.retries(),
                    attributes.duration("backoff"));
        } catch (HandlerDefinitionException e) {
            throw new HandlerDefinitionException(attributes + " on " + where + ": " + e.getMessage(), e);
        }
    }
}

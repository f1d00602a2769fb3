package dev.kopf4j.engine.registration;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityDefinition;
import dev.kopf4j.HandlerDeclarationException;

/** Turns one annotation of an activity into a definition. Pure. */
final class ActivityAnnotationReader {
    private ActivityAnnotationReader() {}

    static ActivityDefinition read(Activity activity, AnnotationAttributes annotationAttributes, String where) {
        try {
            String id = annotationAttributes.text("id");
            String param = annotationAttributes.text("param");
            return new ActivityDefinition(
                    activity,
                    id.isEmpty() ? null : id,
                    param.isEmpty() ? null : param,
                    annotationAttributes.errors(),
                    annotationAttributes.duration("timeout"),
                    annotationAttributes.retries(),
                    annotationAttributes.duration("backoff"));
        } catch (HandlerDeclarationException e) {
            throw new HandlerDeclarationException(annotationAttributes + " on " + where + ": " + e.getMessage(), e);
        }
    }
}

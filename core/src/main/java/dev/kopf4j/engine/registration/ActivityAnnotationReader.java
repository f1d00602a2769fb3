package dev.kopf4j.engine.registration;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.engine.handling.declaration.ActivityDeclaration;

/** Turns one annotation of an activity into its declaration. Pure. */
final class ActivityAnnotationReader {
    private ActivityAnnotationReader() {}

    static ActivityDeclaration read(Activity activity, AnnotationAttributes annotationAttributes, String where) {
        try {
            String id = annotationAttributes.text("id");
            String param = annotationAttributes.text("param");
            return new ActivityDeclaration(
                    activity, id.isEmpty() ? null : id, param.isEmpty() ? null : param, annotationAttributes.retry());
        } catch (HandlerDeclarationException e) {
            throw new HandlerDeclarationException(annotationAttributes + " on " + where + ": " + e.getMessage(), e);
        }
    }
}

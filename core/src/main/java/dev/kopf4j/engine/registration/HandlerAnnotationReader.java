package dev.kopf4j.engine.registration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.engine.handling.declaration.BackgroundDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.declaration.InitialDelay;
import dev.kopf4j.engine.injection.HandlerArguments;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Turns one annotation of one method into its declaration. Pure.
 *
 * @param attributes the annotation
 * @param arguments what the method can be given
 * @param methods finds the methods that the annotation names
 * @param method the annotated method
 */
record HandlerAnnotationReader(
        AnnotationAttributes attributes, HandlerArguments arguments, NamedMethods methods, Method method) {
    HandlerDeclaration read() {
        ChildAttributes children = new ChildAttributes(attributes, methods, method);
        return new HandlerDeclaration(
                arguments.kind(),
                selector(children),
                attributes.id(),
                arguments.param(),
                attributes.retry(),
                new FilterAttributes(attributes, methods).read(),
                attributes.flag("optional"),
                attributes.flag("deleted"),
                background(),
                new AdmissionAttributes(attributes).read(),
                children.read(arguments.kind()));
    }

    private ResourceSelector selector(ChildAttributes children) {
        return arguments.kind() == HandlerKind.CHILD
                ? children.parent()
                : new SelectorAttributes(attributes, methods, method).read();
    }

    private BackgroundDeclaration background() {
        return new BackgroundDeclaration(
                initialDelay(),
                attributes.duration("interval"),
                attributes.flag("sharp"),
                attributes.duration("idle"),
                attributes.duration("cancellationBackoff"),
                attributes.duration("cancellationTimeout"),
                attributes.duration("cancellationPolling"));
    }

    private @Nullable InitialDelay initialDelay() {
        Duration fixed = attributes.duration("initialDelay");
        String method = attributes.text("initialDelayBy");
        if (fixed != null && !method.isEmpty()) {
            throw new HandlerDeclarationException("give either initialDelay or initialDelayBy, not both");
        }
        if (!method.isEmpty()) {
            return new InitialDelay.Computed(methods.delay(method));
        }
        return fixed == null ? null : new InitialDelay.Fixed(fixed);
    }
}

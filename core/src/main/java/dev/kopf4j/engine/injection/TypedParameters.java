package dev.kopf4j.engine.injection;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.AuditAnnotations;
import dev.kopf4j.Body;
import dev.kopf4j.Children;
import dev.kopf4j.Conditions;
import dev.kopf4j.Diff;
import dev.kopf4j.EventType;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Meta;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Patch;
import dev.kopf4j.Reason;
import dev.kopf4j.RequestHeaders;
import dev.kopf4j.Resource;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.Steps;
import dev.kopf4j.Stopped;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.UserInfo;
import dev.kopf4j.Warnings;
import dev.kopf4j.engine.injection.ParameterBinders.NamedParameters;
import dev.kopf4j.engine.injection.ParameterBinders.ParameterBinder;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Decides what parameters of handler methods get by their types alone, and which types a kind of handler refuses. Pure.
 *
 * @param method whose parameters they are, for messages
 * @param kind what the method handles
 */
record TypedParameters(Method method, HandlerKind kind) {
    private static final Map<Class<?>, ParameterBinder> OF_ALL_KINDS = Map.ofEntries(
            Map.entry(HandlerContext.class, context -> context),
            Map.entry(Patch.class, HandlerContext::patch),
            Map.entry(Resource.class, HandlerContext::resource),
            Map.entry(Reason.class, HandlerContext::reason),
            Map.entry(Conditions.class, HandlerContext::conditions),
            Map.entry(InstantSource.class, HandlerContext::clock));

    private static final Map<Class<?>, ParameterBinder> OF_OBJECT = Map.of(
            Body.class, HandlerContext::body,
            Spec.class, HandlerContext::spec,
            Status.class, HandlerContext::status,
            Meta.class, HandlerContext::meta);

    private static final Map<Class<?>, ParameterBinder> OF_ADMISSION = Map.of(
            AdmissionRequest.class, HandlerContext::admission,
            AdmissionOperation.class, context -> context.admission().operation(),
            Warnings.class, context -> context.admission().warnings(),
            AuditAnnotations.class, context -> context.admission().auditAnnotations(),
            UserInfo.class, context -> context.admission().userInfo(),
            RequestHeaders.class, context -> context.admission().headers(),
            X509Certificate.class,
                    context -> context.admission().clientCertificate().orElse(null));

    /**
     * What the parameter gets; null if its type does not say it.
     *
     * @throws HandlerDeclarationException if such a handler cannot have it
     */
    @Nullable ParameterBinder of(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == OperatorSettings.class) {
            throw mistake(
                    parameter,
                    "settings cannot be given to handlers of objects, as they are read when the operator"
                            + " starts; change them through OperatorBuilder.settings");
        }
        if ((type == Patch.class || type == Conditions.class) && kind == HandlerKind.INDEX) {
            throw mistake(
                    parameter,
                    "index functions change nothing in the object; do it in @OnEvent or in a handler of changes");
        }
        if (type == Logger.class) {
            return parameter.isNamePresent() && parameter.getName().equals("localLogger")
                    ? HandlerContext::localLogger
                    : HandlerContext::logger;
        }
        if (type == Diff.class) {
            return ofChange(parameter, HandlerContext::diff);
        }
        if (type == SubHandlers.class) {
            if (kind.isAdmission()) {
                throw mistake(parameter, "admission handlers have no sub-handlers, as nothing of them is remembered");
            }
            if (kind == HandlerKind.CHILD) {
                throw mistake(parameter, "handlers of children have no sub-handlers, as nothing of them is remembered");
            }
            return ofChange(parameter, HandlerContext::subHandlers);
        }
        if (type == Steps.class) {
            return steps(parameter);
        }
        if (type == Stopped.class) {
            return stopped(parameter);
        }
        if (type == Children.class) {
            return children(parameter);
        }
        ParameterBinder object = OF_OBJECT.get(type);
        if (object != null) {
            return ofObject(parameter, object);
        }
        ParameterBinder admission = OF_ADMISSION.get(type);
        if (admission != null) {
            return ofAdmission(parameter, admission);
        }
        if (isOptional(parameter, X509Certificate.class)) {
            return ofAdmission(parameter, context -> context.admission().clientCertificate());
        }
        if (type == EventType.class) {
            return ofEvent(parameter, context -> context.eventType().orElse(null));
        }
        return isOptional(parameter, EventType.class)
                ? ofEvent(parameter, HandlerContext::eventType)
                : OF_ALL_KINDS.get(type);
    }

    private static boolean isOptional(Parameter parameter, Class<?> content) {
        return parameter.getType() == Optional.class
                && parameter.getParameterizedType() instanceof ParameterizedType optional
                && optional.getActualTypeArguments()[0] == content;
    }

    private ParameterBinder steps(Parameter parameter) {
        return switch (kind) {
            case RESUME, CREATE, UPDATE, DELETE, FIELD, DAEMON, TIMER -> HandlerContext::steps;
            case EVENT, INDEX, VALIDATE, MUTATE, RECONCILE, CHILD ->
                throw mistake(
                        parameter,
                        "nothing of such handlers is remembered, so they have no steps; take them in handlers of"
                                + " changes, in timers or daemons");
        };
    }

    private ParameterBinder stopped(Parameter parameter) {
        if (!kind.isBackground()) {
            throw mistake(parameter, "only daemons and timers are asked to stop; use @OnDaemon or @OnTimer");
        }
        return HandlerContext::stopped;
    }

    private ParameterBinder children(Parameter parameter) {
        if (kind == HandlerKind.INDEX || kind.isAdmission()) {
            throw mistake(
                    parameter,
                    "children are not known to index functions and admission handlers; take them in handlers of events,"
                            + " of changes or of children, in daemons or timers");
        }
        return HandlerContext::children;
    }

    /**
     * The same for parameters that get the object as it is now, or a part of it, by their types: in some handlers,
     * another name would mean another object, so that there it has to be known.
     */
    ParameterBinder ofObject(Parameter parameter, ParameterBinder binder) {
        boolean mayBeChild = kind == HandlerKind.CHILD;
        boolean mayBeOldOrNew =
                (kind.isOfChange() || kind.isAdmission()) && !NamedParameters.isStanza(parameter.getType());
        if (!parameter.isNamePresent() && (mayBeChild || mayBeOldOrNew)) {
            throw HandlerMethods.nameless(method, parameter, "oldValue or newValue" + (mayBeChild ? ", or child" : ""));
        }
        return binder;
    }

    /** The same for parameters that only handlers of children can have. */
    ParameterBinder ofChild(Parameter parameter, ParameterBinder binder) {
        if (kind != HandlerKind.CHILD) {
            throw mistake(parameter, "only handlers of @OnChild are called for a child");
        }
        return binder;
    }

    /** The same for parameters that only handlers of raw events can have. */
    ParameterBinder ofEvent(Parameter parameter, ParameterBinder binder) {
        if (kind != HandlerKind.EVENT) {
            throw mistake(parameter, "only event handlers have an event type; take Reason to learn what happened");
        }
        return binder;
    }

    /** The same for parameters that only admission handlers can have. */
    ParameterBinder ofAdmission(Parameter parameter, ParameterBinder binder) {
        if (!kind.isAdmission()) {
            throw mistake(parameter, "only admission handlers are asked about requests; use @OnValidate or @OnMutate");
        }
        return binder;
    }

    /** The same for parameters that only handlers of changes, and of admission, can have. */
    ParameterBinder ofChange(Parameter parameter, ParameterBinder binder) {
        if (kind == HandlerKind.INDEX) {
            throw mistake(parameter, "index functions know of no change: they are given each state of the object");
        }
        if (kind.isBackground()) {
            throw mistake(
                    parameter,
                    "daemons and timers run whether something changes or not, and know of no change; use @OnUpdate or"
                            + " @OnField");
        }
        if (kind == HandlerKind.RECONCILE) {
            throw mistake(
                    parameter, "@OnReconcile says what ought to be, whatever has changed; use @OnUpdate or @OnField");
        }
        if (kind == HandlerKind.EVENT) {
            throw mistake(parameter, "event handlers know of no change; use @OnUpdate or @OnField");
        }
        return binder;
    }

    private HandlerDeclarationException mistake(Parameter parameter, String problem) {
        return HandlerMethods.mistake(method, parameter, problem);
    }
}

package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.spi.Integration;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Optional;

/**
 * Decides what the parameters of handler methods get: by type where the type says it, by name for common types. Pure.
 */
public final class ParameterBinders {
    private static final String POSSIBLE = """
            possible are, by type: HandlerContext, Body, Spec, Status, Meta, Patch, Conditions, CustomObject<S, T> with the types of spec and status, a type with @CustomResource, Diff, SubHandlers, Resource, Reason, Logger (named localLogger for one that posts no events), InstantSource, EventType (in event handlers), Memo or the class \
            that was given to OperatorBuilder.memo, Stopped (in daemons and timers), Children (those that exist; in @OnReconcile it takes those that ought to), Index<K, V> with the index's id as its name or by @IndexId, AdmissionRequest, AdmissionOperation, Warnings, AuditAnnotations, UserInfo, RequestHeaders, X509Certificate (in admission handlers), a model or client of an integration such as KubernetesClient; by name: String name, namespace, uid, id; \
            Map<String, String> labels, annotations; int retry; Instant started; Duration runtime; boolean dryRun, String subresource, Map<String, List<String>> headers (in admission handlers); any type for spec, status, \
            meta, body, oldValue, newValue, param, child (in @OnChild); any type with @Field("spec.path"), @Label("key") or @Annotation("key"); HandlerOutcome with @OutcomeOf("id")\
            """;

    private final Method method;
    private final AnnotatedParameters annotated;
    private final TypedParameters typed;
    private final CustomTypeParameters custom;
    private final NamedParameters named;
    private final MemoAndIndexBinders memory;

    /**
     * For the parameters of a method.
     *
     * @param arguments what they can be given
     */
    public ParameterBinders(Method method, HandlerArguments arguments) {
        this.method = method;
        this.annotated = new AnnotatedParameters(method);
        this.typed = new TypedParameters(method, arguments.kind());
        this.custom = new CustomTypeParameters(method);
        this.named = new NamedParameters(method, arguments, typed);
        this.memory = new MemoAndIndexBinders(method, arguments.injectableTypes());
    }

    /**
     * The binder of a parameter.
     *
     * @throws HandlerDeclarationException if nobody knows what to give to it, with what is possible
     */
    public ParameterBinder of(Parameter parameter) {
        return Optional.ofNullable(annotated.of(parameter))
                .or(() -> Optional.ofNullable(named.ofChild(parameter)))
                .or(() -> Optional.ofNullable(named.ofOldOrNew(parameter)))
                .or(() -> Optional.ofNullable(typed.of(parameter)))
                .or(() -> Optional.ofNullable(custom.of(parameter)))
                .or(() -> memory.of(parameter).map(found -> found::apply))
                .or(() -> Optional.ofNullable(named.of(parameter)))
                .or(() -> ofIntegration(parameter.getType()))
                .orElseThrow(() -> unknown(parameter));
    }

    private Optional<ParameterBinder> ofIntegration(Class<?> type) {
        Optional<Integration> models = IntegrationLookup.forModelType(type);
        if (models.isPresent()) {
            return Optional.of(new ModelParameter(method, type, models.get().selector(type)));
        }
        if (IntegrationLookup.forServiceType(type).isPresent()) {
            return Optional.of(context -> context.service(type));
        }
        return Optional.empty();
    }

    private HandlerDeclarationException unknown(Parameter parameter) {
        return UnknownParameter.of(method, parameter, NamedParameters.NAMES, POSSIBLE);
    }
}

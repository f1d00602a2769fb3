package dev.kopf4j.engine.injection;

import dev.kopf4j.Annotation;
import dev.kopf4j.CustomObject;
import dev.kopf4j.Field;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerOutcome;
import dev.kopf4j.Label;
import dev.kopf4j.Meta;
import dev.kopf4j.OutcomeOf;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Resource;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.TypeRef;
import dev.kopf4j.View;
import dev.kopf4j.engine.injection.MethodInvoker.HandlerArguments;
import dev.kopf4j.integration.CustomTypes;
import dev.kopf4j.integration.IntegrationLookup;
import dev.kopf4j.integration.ModelBinding;
import dev.kopf4j.object.TypedObject;
import dev.kopf4j.spi.Integration;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what the parameters of handler methods get: by type where the type says it, by name for common types. Pure.
 */
public final class ParameterBinders {
    private static final String POSSIBLE = """
            possible are, by type: HandlerContext, Body, Spec, Status, Meta, Patch, Conditions, CustomObject<S, T> with the types of spec and status, a type with @CustomResource, Diff, SubHandlers, Steps, Resource, Reason, Logger (named localLogger for one that posts no events), InstantSource, EventType (in event handlers), Memo or the class \
            that was given to OperatorBuilder.memo, Stopped (in daemons and timers), Children (those that exist; in @OnReconcile it takes those that ought to), Index<K, V> with the index's id as its name or by @IndexId, AdmissionRequest, AdmissionOperation, Warnings, AuditAnnotations, UserInfo, RequestHeaders, X509Certificate (in admission handlers), a model or client of an integration such as KubernetesClient; by name: String name, namespace, uid, id; \
            Map<String, String> labels, annotations; int retry; Instant started; Duration runtime; boolean dryRun, String subresource, Map<String, List<String>> headers (in admission handlers); any type for spec, status, \
            meta, body, oldValue, newValue, param, child (in @OnChild); any type with @Field("spec.path"), @Label("key") or @Annotation("key"); HandlerOutcome with @OutcomeOf("id")\
            """;

    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    /** The fields at the top of objects, of any kind that Kubernetes has itself. */
    private static final Set<String> FIELDS_OF_OBJECTS = Set.of("""
            apiVersion kind metadata spec status \
            data stringData binaryData immutable type secrets imagePullSecrets automountServiceAccountToken \
            rules aggregationRule roleRef subjects webhooks subsets endpoints addressType ports template \
            provisioner parameters reclaimPolicy mountOptions allowVolumeExpansion volumeBindingMode allowedTopologies \
            driverName nodeTopology storageClassName capacity maximumVolumeSize \
            value globalDefault description preemptionPolicy handler overhead scheduling revision conditions \
            involvedObject regarding reason message note source firstTimestamp lastTimestamp eventTime count series \
            action related reportingComponent reportingController reportingInstance""".split(" "));

    private final Method method;
    private final Class<?> owner;
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
        this.owner = arguments.owner();
        this.annotated = new AnnotatedParameters(method, arguments);
        this.typed = new TypedParameters(method, arguments.kind());
        this.custom = new CustomTypeParameters(method, arguments);
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
                .or(() -> Optional.ofNullable(custom.of(parameter)).map(found -> typed.ofObject(parameter, found)))
                .or(() -> memory.of(parameter).map(found -> found::apply))
                .or(() -> Optional.ofNullable(named.of(parameter)))
                .or(() -> ofIntegration(parameter))
                .orElseThrow(() -> unknown(parameter));
    }

    /**
     * Refuses the types of specs for old and new values that are whole objects, and warns of others that have none of
     * their fields: they would be empty on both sides of each change, and nobody would be told. Each field of a
     * built-in kind counts.
     *
     * @throws HandlerDeclarationException if a parameter has such a type
     */
    public static void refuseEmptyWholes(Method method, HandlerArguments arguments) {
        AnnotatedParameters annotated = new AnnotatedParameters(method, arguments);
        for (Parameter parameter : method.getParameters()) {
            if (NamedParameters.isOldOrNew(parameter) && annotated.of(parameter) == null) {
                Type type = arguments.typeOf(method, parameter);
                Type read = parameter.getType() == Optional.class ? ValueParameter.content(type) : type;
                Set<String> fields = ModelBinding.fields(read);
                boolean isSpec = read instanceof Class<?> known && CustomTypes.isSpec(known);
                if (isSpec || (!fields.isEmpty() && Collections.disjoint(fields, FIELDS_OF_OBJECTS))) {
                    HandlerDeclarationException mistake = HandlerMethods.mistake(
                            method,
                            parameter,
                            "it is the whole object here, of which this type has no field, so that it would always be"
                                    + " empty; take Body, and "
                                    + parameter.getName() + ".spec().as(...) of it, or a type of the whole object"
                                    + (arguments.kind().isAdmission()
                                            ? ""
                                            : ", or name what it is of, as in field = \"spec\""));
                    if (isSpec) {
                        throw mistake;
                    }
                    // A kind may have fields of its own at the top.
                    log.warn("{}", mistake.getMessage());
                }
            }
        }
    }

    private Optional<ParameterBinder> ofIntegration(Parameter parameter) {
        Class<?> type = HandlerMethods.classOf(owner, parameter);
        Optional<Integration> models = IntegrationLookup.forModelType(type);
        if (models.isPresent()) {
            ModelParameter model = new ModelParameter(method, type, models.get().selector(type));
            return Optional.of(typed.ofObject(parameter, model));
        }
        if (IntegrationLookup.forServiceType(type).isPresent()) {
            return Optional.of(context -> context.service(type));
        }
        return Optional.empty();
    }

    private HandlerDeclarationException unknown(Parameter parameter) {
        return HandlerMethods.unknown(method, parameter, NamedParameters.NAMES, POSSIBLE);
    }

    /**
     * What parameters of handler methods get where an annotation says it. Pure.
     *
     * @param method whose parameters they are, for messages
     * @param arguments what the method can be given
     */
    private record AnnotatedParameters(Method method, HandlerArguments arguments) {
        /** What the parameter gets; null if no annotation says it. */
        @Nullable ParameterBinder of(Parameter parameter) {
            Field field = parameter.getAnnotation(Field.class);
            if (field != null) {
                return ofField(parameter, field.value());
            }
            Label label = parameter.getAnnotation(Label.class);
            if (label != null) {
                String key = key(parameter, "@Label", label.value());
                return new ValueParameter(
                        parameter,
                        arguments.typeOf(method, parameter),
                        "label " + key,
                        context -> context.labels().get(key));
            }
            Annotation annotation = parameter.getAnnotation(Annotation.class);
            if (annotation != null) {
                String key = key(parameter, "@Annotation", annotation.value());
                return new ValueParameter(
                        parameter,
                        arguments.typeOf(method, parameter),
                        "annotation " + key,
                        context -> context.annotations().get(key));
            }
            return ofOutcome(parameter);
        }

        private ParameterBinder ofField(Parameter parameter, String[] given) {
            List<String> keys = List.of(given.length == 1 ? given[0].split("\\.", -1) : given);
            if (keys.isEmpty() || keys.contains("")) {
                throw HandlerMethods.mistake(
                        method, parameter, "@Field names no field; write for example \"spec.size\"");
            }
            if (keys.stream().anyMatch(key -> !key.equals(key.strip()))) {
                throw HandlerMethods.mistake(
                        method, parameter, "@Field has blanks around a key: '" + String.join(".", keys) + "'");
            }
            Class<?> type = parameter.getType();
            if (View.class.isAssignableFrom(type) && type != View.class) {
                throw HandlerMethods.mistake(
                        method,
                        parameter,
                        "a field is no " + type.getSimpleName() + ": take View, or a type of your own");
            }
            return new ValueParameter(
                    parameter,
                    arguments.typeOf(method, parameter),
                    "field " + String.join(".", keys),
                    context -> context.body().get(keys).orElse(null));
        }

        private @Nullable ParameterBinder ofOutcome(Parameter parameter) {
            OutcomeOf outcome = parameter.getAnnotation(OutcomeOf.class);
            boolean typed = parameter.getType() == HandlerOutcome.class;
            if (outcome == null && !typed) {
                return null;
            }
            if (outcome == null || !typed) {
                throw HandlerMethods.mistake(
                        method,
                        parameter,
                        "write @OutcomeOf(\"id of a handler\") HandlerOutcome " + parameter.getName());
            }
            String id = key(parameter, "@OutcomeOf", outcome.value());
            return context -> context.outcome(id);
        }

        private String key(Parameter parameter, String annotation, String given) {
            if (given.isBlank()) {
                throw HandlerMethods.mistake(
                        method,
                        parameter,
                        annotation + " is empty; write for example " + annotation + "(\""
                                + (annotation.equals("@OutcomeOf") ? "createFn" : "example.com/tier") + "\")");
            }
            if (!annotation.equals("@OutcomeOf") && given.chars().anyMatch(Character::isWhitespace)) {
                throw HandlerMethods.mistake(
                        method, parameter, annotation + " has blanks in its key: '" + given + "'; no key has any");
            }
            return given;
        }
    }

    /**
     * What parameters get that ask for the object in types of the user's own. Pure.
     *
     * @param method whose parameters they are, for messages
     * @param arguments what the method can be given
     */
    private record CustomTypeParameters(Method method, HandlerArguments arguments) {
        /** What the parameter gets; null if its type does not say it. */
        @Nullable ParameterBinder of(Parameter parameter) {
            Class<?> type = HandlerMethods.classOf(arguments.owner(), parameter);
            if (type == CustomObject.class) {
                return customObject(parameter);
            }
            if (!CustomTypes.isCustomResource(type)) {
                return null;
            }
            TypeRef<?> read = TypeRef.of(arguments.typeOf(method, parameter));
            return CustomTypes.isSpec(type)
                    ? context -> context.spec().as(read)
                    : context -> context.body().as(read);
        }

        private ParameterBinder customObject(Parameter parameter) {
            if (!(arguments.typeOf(method, parameter) instanceof ParameterizedType generic)) {
                throw HandlerMethods.mistake(
                        method,
                        parameter,
                        "the types of spec and status are missing; write for example CustomObject<WebsiteSpec, WebsiteStatus>");
            }
            TypeRef<?> spec = TypeRef.of(generic.getActualTypeArguments()[0]);
            TypeRef<?> status = TypeRef.of(generic.getActualTypeArguments()[1]);
            return context -> object(context, spec, status);
        }

        private static <S, T> CustomObject<S, T> object(HandlerContext context, TypeRef<S> spec, TypeRef<T> status) {
            return new TypedObject<>(context, spec, status);
        }
    }

    /**
     * The object as a model of another library. Which resource a handler's selector means is known only when it is
     * called, so that a model of another resource is refused there: it would be bound without an error, and be mostly
     * empty.
     *
     * @param method whose parameter it is, for messages
     * @param type the model
     * @param selector the resource that it stands for; empty for parts of objects, and for models of any resource
     */
    record ModelParameter(Method method, Class<?> type, Optional<ResourceSelector> selector)
            implements ParameterBinder {
        @Override
        public @Nullable Object bind(HandlerContext context) {
            Resource resource = context.resource();
            if (selector.isPresent() && !stands(selector.get(), resource)) {
                throw new PermanentException(HandlerMethods.describe(method) + " takes a " + type.getSimpleName()
                        + ", which is "
                        + selector.get() + ", but is called for " + resource + "; change the parameter's type, or the"
                        + " handler's resource");
            }
            return context.body().as(type);
        }

        /** Any version: models of one version often do for another. */
        private static boolean stands(ResourceSelector selector, Resource resource) {
            return selector.matches(new Resource(
                    resource.group(),
                    selector.version().orElse(resource.version()),
                    resource.names(),
                    resource.subresources(),
                    resource.namespaced(),
                    true,
                    resource.verbs()));
        }
    }

    /** Gets the value of one parameter from the context of a call. Thread-safe. */
    @FunctionalInterface
    public interface ParameterBinder {
        /** The value; null if it is absent. */
        @Nullable Object bind(HandlerContext context);
    }

    /**
     * Decides what parameters of handler methods get by their names, if their types are common ones or the user's own.
     * Pure.
     *
     * @param method whose parameters they are, for messages
     * @param arguments what the method can be given
     * @param typed knows what the kind of handler refuses
     */
    record NamedParameters(Method method, HandlerArguments arguments, TypedParameters typed) {
        /** The names that mean something. */
        static final List<String> NAMES = List.of(
                "name",
                "namespace",
                "uid",
                "id",
                "body",
                "spec",
                "status",
                "meta",
                "oldValue",
                "newValue",
                "param",
                "labels",
                "annotations",
                "retry",
                "started",
                "runtime",
                "dryRun",
                "subresource",
                "headers");

        private static final Map<String, Function<HandlerContext, @Nullable String>> TEXTS = Map.of(
                "name", HandlerContext::name,
                "namespace", context -> context.namespace().orElse(null),
                "uid", HandlerContext::uid,
                "id", HandlerContext::handlerId);

        private static final Map<String, Function<HandlerContext, View>> STANZAS = Map.of(
                "body", HandlerContext::body,
                "spec", HandlerContext::spec,
                "status", HandlerContext::status,
                "meta", HandlerContext::meta);

        /**
         * What a parameter for the value before or after a change gets, whose type is not that of the object as it is;
         * null if it is none.
         *
         * @throws HandlerDeclarationException if such a handler cannot have it, or not in that type
         */
        @Nullable ParameterBinder ofOldOrNew(Parameter parameter) {
            return isOldOrNew(parameter) ? oldOrNew(parameter) : null;
        }

        private static boolean isOldOrNew(Parameter parameter) {
            return parameter.isNamePresent()
                    && (parameter.getName().equals("oldValue")
                            || parameter.getName().equals("newValue"));
        }

        /**
         * What a parameter for the child gets; null if it is none.
         *
         * @throws HandlerDeclarationException if such a handler cannot have it
         */
        @Nullable ParameterBinder ofChild(Parameter parameter) {
            boolean meant = parameter.isNamePresent() && parameter.getName().equals("child");
            return meant
                    ? typed.ofChild(
                            parameter,
                            new ValueParameter(
                                    parameter, arguments.typeOf(method, parameter), "child", HandlerContext::child))
                    : null;
        }

        /** True for what is only a part of the object as it is: no value before or after a change has such a type. */
        static boolean isStanza(Class<?> type) {
            return type == Spec.class || type == Status.class || type == Meta.class;
        }

        private ParameterBinder oldOrNew(Parameter parameter) {
            String name = parameter.getName();
            Class<?> type = parameter.getType();
            if (isStanza(type)) {
                throw HandlerMethods.mistake(
                        method,
                        parameter,
                        "it is a whole object, or the value of the field: take View, or a type of your own");
            }
            return typed.ofChange(
                    parameter,
                    new ValueParameter(
                            parameter,
                            arguments.typeOf(method, parameter),
                            name,
                            name.equals("oldValue") ? HandlerContext::oldValue : HandlerContext::newValue));
        }

        /**
         * What the parameter gets; null if its name does not say it.
         *
         * @throws HandlerDeclarationException if such a handler cannot have it
         */
        @Nullable ParameterBinder of(Parameter parameter) {
            if (!parameter.isNamePresent()) {
                return null;
            }
            String name = parameter.getName();
            Class<?> type = parameter.getType();
            if (STANZAS.containsKey(name)) {
                return new ValueParameter(
                        parameter, arguments.typeOf(method, parameter), name, STANZAS.get(name)::apply);
            }
            return switch (name) {
                case "old" ->
                    throw HandlerMethods.mistake(
                            method, parameter, "it is called oldValue, beside newValue: rename the parameter");
                case "param" -> param(parameter);
                case "labels" -> type == Map.class ? HandlerContext::labels : null;
                case "annotations" -> type == Map.class ? HandlerContext::annotations : null;
                case "retry" -> type == int.class || type == Integer.class ? HandlerContext::retry : null;
                case "started" -> type == Instant.class ? HandlerContext::started : null;
                case "runtime" -> type == Duration.class ? HandlerContext::runtime : null;
                case "dryRun" ->
                    type == boolean.class || type == Boolean.class
                            ? typed.ofAdmission(
                                    parameter, context -> context.admission().isDryRun())
                            : null;
                case "subresource" -> subresource(parameter);
                case "headers" ->
                    type == Map.class
                            ? typed.ofAdmission(
                                    parameter,
                                    context -> context.admission().headers().toMap())
                            : null;
                case "type" -> type == String.class ? eventTypeAsText(parameter) : null;
                default -> text(name, type);
            };
        }

        private ParameterBinder param(Parameter parameter) {
            if (arguments.paramOfCall()) {
                return new ValueParameter(
                        parameter, arguments.typeOf(method, parameter), "param", HandlerContext::param);
            }
            Object value =
                    ValueParameter.ofParam(method, parameter, arguments.typeOf(method, parameter), arguments.param());
            return context -> value;
        }

        private @Nullable ParameterBinder subresource(Parameter parameter) {
            if (parameter.getType() == String.class) {
                return typed.ofAdmission(
                        parameter, context -> context.admission().subresource().orElse(null));
            }
            return parameter.getType() == Optional.class
                    ? typed.ofAdmission(
                            parameter, context -> context.admission().subresource())
                    : null;
        }

        private static @Nullable ParameterBinder text(String name, Class<?> type) {
            Function<HandlerContext, @Nullable String> text = TEXTS.get(name);
            if (text == null) {
                return null;
            }
            if (type == String.class) {
                return text::apply;
            }
            return type == Optional.class ? context -> Optional.ofNullable(text.apply(context)) : null;
        }

        private ParameterBinder eventTypeAsText(Parameter parameter) {
            typed.ofEvent(parameter, HandlerContext::eventType);
            throw HandlerMethods.mistake(method, parameter, "the type of an event is no text: take EventType");
        }
    }
}

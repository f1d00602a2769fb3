package dev.kopf4j.engine.registration;

import dev.kopf4j.Activity;
import dev.kopf4j.Body;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnCleanup;
import dev.kopf4j.OnConvert;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnLogin;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnProbe;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.SnakeCaseIds;
import dev.kopf4j.Spec;
import dev.kopf4j.Status;
import dev.kopf4j.SubHandler;
import dev.kopf4j.engine.call.HandlerResult.ResultTypes;
import dev.kopf4j.engine.call.HandlerRunner.ReviewResults;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.declaration.DeclaredOptions.Annotated;
import dev.kopf4j.engine.declaration.HandlerDeclaration;
import dev.kopf4j.engine.declaration.RegisteredActivity;
import dev.kopf4j.engine.declaration.RegisteredActivity.ActivityDeclaration;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.RegisteredHandler.SubHandlerMethod;
import dev.kopf4j.engine.injection.ActivityMethodInvoker;
import dev.kopf4j.engine.injection.ActivityMethodInvoker.ActivityArguments;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.InjectableTypes;
import dev.kopf4j.engine.injection.MethodInvoker;
import dev.kopf4j.engine.injection.MethodInvoker.HandlerArguments;
import dev.kopf4j.engine.injection.ParameterBinders;
import dev.kopf4j.integration.ModelBinding;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The handlers of one annotated class. Used once. */
final class AnnotatedClass {
    private final HandlerInstance instance;
    private final InjectableTypes injectableTypes;
    private final StaticHandlers statics;

    /**
     * The handlers of an instance, or of a class.
     *
     * @param surveyed true if the operator is only looked at
     * @param injectableTypes what parameters can be given besides what all handlers have
     * @param statics what the classes before it have brought
     */
    AnnotatedClass(Object beanOrClass, boolean surveyed, InjectableTypes injectableTypes, StaticHandlers statics) {
        this.instance = new HandlerInstance(beanOrClass, surveyed);
        this.injectableTypes = injectableTypes;
        this.statics = statics;
    }

    /**
     * What would never be called, and nobody would be told.
     *
     * @throws HandlerDeclarationException if no method is annotated, or one loses its annotations
     */
    void refuseUncalled() {
        List<String> lost = HandlerMethods.lostAnnotations(instance.type());
        if (!lost.isEmpty()) {
            throw new HandlerDeclarationException(String.join("\n", lost));
        }
        if (HandlerMethods.of(instance.type()).stream().noneMatch(HandlerMethods::isAnnotated)) {
            throw new HandlerDeclarationException(
                    "there are no handlers in " + instance.type().getName() + ", which is registered; " + meant());
        }
    }

    private String meant() {
        if (Iterable.class.isAssignableFrom(instance.type())) {
            return "give its elements one by one, by handlers(list.toArray()), or in Kotlin"
                    + " handlers(*list.toTypedArray())";
        }
        if (Arrays.stream(instance.type().getInterfaces())
                .anyMatch(each -> each.getName().equals("kotlin.reflect.KClass"))) {
            return "in Kotlin, a class is given as Websites::class.java";
        }
        return "annotate a method, as in @OnCreate(\"kopfexamples\") void createFn(Spec spec) {...}, or do not"
                + " register it";
    }

    /** The handlers in the order of the source; none if nothing is annotated. */
    List<RegisteredHandler> handlers() {
        Map<String, SubHandlerMethod> subHandlers = new SubHandlerMethods(instance, injectableTypes).read();
        return HandlerMethods.collect(HandlerMethods.of(instance.type()), method -> handlers(method, subHandlers))
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    private List<RegisteredHandler> handlers(Method method, Map<String, SubHandlerMethod> subHandlers) {
        List<RegisteredHandler> handlers = new ArrayList<>();
        for (Annotation annotation : HandlerAnnotations.of(method, HandlerAnnotations.KINDS)) {
            if (statics.have(method, annotation, instance)) {
                continue;
            }
            HandlerKind kind = Objects.requireNonNull(HandlerAnnotations.KINDS.get(annotation.annotationType()));
            handlers.add(handler(method, kind, new AnnotationAttributes(annotation), subHandlers));
        }
        return handlers;
    }

    private RegisteredHandler handler(
            Method method,
            HandlerKind kind,
            AnnotationAttributes attributes,
            Map<String, SubHandlerMethod> subHandlers) {
        GivenParam param =
                attributes.reading(HandlerMethods.describe(method), () -> GivenParam.read(attributes, instance));
        HandlerArguments arguments =
                new HandlerArguments(instance.type(), kind, param.value(), !param.isKnown(), injectableTypes);
        HandlerDeclaration declaration =
                attributes.reading(HandlerMethods.describe(method), () -> declaration(attributes, arguments, method));
        refuseIndexOfNothing(kind, method);
        refuseWhatIsNoAnswer(kind, method);
        refuseWhatIsNoResult(kind, method);
        String id = declaration.id() == null ? defaultId(kind, method) : declaration.id();
        MethodInvoker invoker = MethodInvoker.of(instance.of(method), method, arguments);
        // Whatever the field of a review, its values are whole objects.
        if (kind.isAdmission() || declaration.options().field().isEmpty()) {
            ParameterBinders.refuseEmptyWholes(method, arguments);
        }
        return new RegisteredHandler(
                declaration,
                RegisteredHandler.fullId(id, declaration),
                instance.identity(method),
                invoker,
                subHandlers);
    }

    private HandlerDeclaration declaration(AnnotationAttributes attributes, HandlerArguments arguments, Method method) {
        NamedMethods methods = new NamedMethods(instance, arguments);
        AnnotatedResource resource = new AnnotatedResource(attributes, methods, method);
        Annotated options = new AnnotatedOptions(attributes, methods).read().param(arguments.param());
        if (arguments.kind() != HandlerKind.CHILD) {
            return options.declare(arguments.kind(), resource.read(), attributes.id());
        }
        return options.children(resource.read()).declare(arguments.kind(), resource.parent(), attributes.id());
    }

    /** Parameters name indices: their ids are names of Java. */
    private String defaultId(HandlerKind kind, Method method) {
        return kind == HandlerKind.INDEX ? method.getName() : HandlerIdRule.id(instance.type(), method.getName());
    }

    private static void refuseIndexOfNothing(HandlerKind kind, Method method) {
        if (kind == HandlerKind.INDEX
                && (method.getReturnType() == void.class || method.getReturnType() == Void.class)) {
            throw new HandlerDeclarationException("@OnIndex on " + HandlerMethods.describe(method)
                    + " returns nothing, so that nothing could ever be in the index; return a map of keys to values, or a"
                    + " value");
        }
    }

    /** A check that returns whether all is well would let everything pass. */
    private static void refuseWhatIsNoAnswer(HandlerKind kind, Method method) {
        if (kind.isAdmission() && !ReviewResults.mayBeNothing(method.getReturnType())) {
            throw new HandlerDeclarationException(kind.annotation() + " on " + HandlerMethods.describe(method)
                    + " returns a " + method.getReturnType().getSimpleName()
                    + ", which nobody looks at; return nothing: to refuse, throw an AdmissionException"
                    + (kind == HandlerKind.MUTATE
                            ? "; to change the object, take a Patch as a parameter, and change that"
                            : ""));
        }
    }

    private static void refuseWhatIsNoResult(HandlerKind kind, Method method) {
        ResultTypes.problem(method.getReturnType()).ifPresent(problem -> {
            throw new HandlerDeclarationException(HandlerMethods.describe(method) + " returns " + problem
                    + "; return data, or nothing"
                    + (kind == HandlerKind.DAEMON ? "" : "; what runs beside an object is a daemon (@OnDaemon)"));
        });
        if (kind != HandlerKind.INDEX) {
            ModelBinding.miswriting(method.getGenericReturnType()).ifPresent(problem -> {
                throw new HandlerDeclarationException(
                        "what " + HandlerMethods.describe(method) + " returns cannot be stored: " + problem);
            });
        }
    }

    /** The handlers of activities in the order of the source; none if nothing is annotated. */
    List<RegisteredActivity> activities() {
        List<RegisteredActivity> handlers = new ArrayList<>();
        for (Method method : HandlerMethods.of(instance.type())) {
            for (Annotation annotation : HandlerAnnotations.of(method, HandlerAnnotations.ACTIVITIES)) {
                if (statics.have(method, annotation, instance)) {
                    continue;
                }
                Activity activity =
                        Objects.requireNonNull(HandlerAnnotations.ACTIVITIES.get(annotation.annotationType()));
                handlers.add(activity(method, activity, new AnnotationAttributes(annotation)));
            }
        }
        return handlers;
    }

    /** The conversions in the order of the source; none if nothing is annotated. */
    List<ConversionFunction> conversions() {
        List<ConversionFunction> functions = new ArrayList<>();
        for (Method method : HandlerMethods.of(instance.type())) {
            for (OnConvert annotation : method.getAnnotationsByType(OnConvert.class)) {
                if (!statics.have(method, annotation, instance)) {
                    functions.add(new ConversionMethod(method, annotation).of(instance));
                }
            }
        }
        return functions;
    }

    private RegisteredActivity activity(Method method, Activity activity, AnnotationAttributes attributes) {
        GivenParam param =
                attributes.reading(HandlerMethods.describe(method), () -> GivenParam.read(attributes, instance));
        ActivityDeclaration declaration = attributes.reading(
                HandlerMethods.describe(method),
                () -> AnnotatedOptions.retries(attributes).param(param.value()).declare(activity, attributes.id()));
        String id = declaration.id() == null ? HandlerIdRule.id(instance.type(), method.getName()) : declaration.id();
        ActivityArguments arguments =
                new ActivityArguments(instance.type(), activity, param.value(), !param.isKnown(), injectableTypes);
        return new RegisteredActivity(
                declaration, id, ActivityMethodInvoker.of(instance.of(method), method, arguments));
    }

    /**
     * The static handlers that the classes of an operator have brought. A static method that several of them inherit is
     * one handler, and read once, unless each class has filters of its own for it. Confined to one registry.
     */
    static final class StaticHandlers {
        private final Map<List<Object>, HandlerInstance> owners = new HashMap<>();

        /**
         * Whether another class has brought it already; if not, this one has now.
         *
         * @throws HandlerDeclarationException if the two would give it different ids, or values
         */
        boolean have(Method method, Annotation annotation, HandlerInstance heir) {
            if (!Modifier.isStatic(method.getModifiers())) {
                return false;
            }
            HandlerInstance owner = owners.putIfAbsent(List.of(method, annotation), heir);
            if (owner == null || owner == heir) {
                return false;
            }
            AnnotationAttributes attributes = new AnnotationAttributes(annotation);
            return attributes.reading(HandlerMethods.describe(method), () -> {
                refuseOtherId(method, attributes, owner, heir);
                Map<String, List<Object>> named = named(attributes, owner);
                Map<String, List<Object>> namedByHeir = named(attributes, heir);
                for (String attribute : named.keySet()) {
                    if (asksForValue(attribute) && !Objects.equals(named.get(attribute), namedByHeir.get(attribute))) {
                        throw mistake(
                                owner,
                                heir,
                                "and would each ask another method for " + attribute + " = \""
                                        + attributes.text(attribute)
                                        + "\": let it name a static method of the class that has the handler, or give"
                                        + " each class a handler of its own");
                    }
                }
                return named.equals(namedByHeir);
            });
        }

        private static void refuseOtherId(
                Method method, AnnotationAttributes attributes, HandlerInstance owner, HandlerInstance heir) {
            String id = HandlerIdRule.id(owner.type(), method.getName());
            String other = HandlerIdRule.id(heir.type(), method.getName());
            boolean byClass = attributes.id() == null
                    && !(attributes.annotation() instanceof OnIndex)
                    && !(attributes.annotation() instanceof OnConvert);
            if (byClass && !id.equals(other)) {
                throw mistake(
                        owner,
                        heir,
                        "with the ids '" + id + "' and '" + other
                                + "': let both classes have @SnakeCaseIds, or none, or give an id in the annotation");
            }
        }

        private static HandlerDeclarationException mistake(HandlerInstance owner, HandlerInstance heir, String how) {
            Class<?> type = owner.type();
            String who = type.equals(heir.type())
                    ? "two objects of " + type.getSimpleName()
                    : "two classes, " + type.getSimpleName() + " and "
                            + heir.type().getSimpleName() + ",";
            return new HandlerDeclarationException("it is static, and so one handler, but " + who + " have it, " + how);
        }

        /** True if the methods that it names are no filters, of which the call passes if any does. */
        private static boolean asksForValue(String attribute) {
            return attribute.endsWith("By");
        }

        /** Which methods the annotation names, by the attributes. */
        private static Map<String, List<Object>> named(AnnotationAttributes attributes, HandlerInstance instance) {
            Map<String, List<Object>> found = new HashMap<>();
            attributes.namedMethods().forEach((attribute, names) -> {
                String result = asksForValue(attribute) ? "the value" : "a boolean";
                found.put(
                        attribute,
                        names.stream()
                                .<Object>map(name -> instance.identity(
                                        HandlerMethods.named(instance.type(), name, attribute, result)))
                                .toList());
            });
            return found;
        }
    }

    /**
     * Reads the methods of a class that its handlers may declare as sub-handlers. Pure.
     *
     * @param instance whose methods they are
     * @param injectableTypes what parameters can be given besides what all handlers have
     */
    record SubHandlerMethods(HandlerInstance instance, InjectableTypes injectableTypes) {
        /** By their names; none if nothing is annotated. */
        Map<String, SubHandlerMethod> read() {
            Map<String, SubHandlerMethod> methods = new LinkedHashMap<>();
            for (Method method : HandlerMethods.of(instance.type())) {
                SubHandler annotation = method.getAnnotation(SubHandler.class);
                if (annotation != null && methods.put(method.getName(), read(method, annotation)) != null) {
                    throw new HandlerDeclarationException(
                            "two methods of " + instance.type().getSimpleName() + " with @SubHandler have the name "
                                    + method.getName() + "; rename one of them");
                }
            }
            return Map.copyOf(methods);
        }

        private SubHandlerMethod read(Method method, SubHandler annotation) {
            AnnotationAttributes attributes = new AnnotationAttributes(annotation);
            // All handlers of changes, of which it may be a part, have the same parameters.
            HandlerArguments arguments =
                    HandlerArguments.withParamOfCall(instance.type(), HandlerKind.UPDATE, injectableTypes);
            String id = attributes.id();
            return attributes.reading(
                    HandlerMethods.describe(method),
                    () -> new SubHandlerMethod(
                            id == null ? HandlerIdRule.id(instance.type(), method.getName()) : id,
                            new AnnotatedOptions(attributes, new NamedMethods(instance, arguments))
                                    .read()
                                    .options(),
                            instance.identity(method),
                            MethodInvoker.of(instance.of(method), method, arguments)));
        }
    }

    /**
     * The value that an annotation gives for the parameter {@code param}: text, or what a method returns.
     *
     * @param value the value; null if none is given
     * @param isKnown false if a method would give it, and the operator is only looked at: it is not called
     */
    private record GivenParam(@Nullable Object value, boolean isKnown) {
        /** Reads it; the method is called if the operator is to run. */
        static GivenParam read(AnnotationAttributes attributes, HandlerInstance instance) {
            String text = attributes.text("param");
            String by = attributes.text("paramBy");
            if (!text.isEmpty() && !by.isEmpty()) {
                throw new HandlerDeclarationException("give either param or paramBy, not both");
            }
            if (!by.isEmpty()) {
                Method method = HandlerMethods.named(instance.type(), by, "paramBy", "the value");
                refuseUnusable(method);
                return instance.isSurveyed()
                        ? new GivenParam(null, false)
                        : new GivenParam(returned(method, instance), true);
            }
            return new GivenParam(text.isEmpty() ? null : text, true);
        }

        private static void refuseUnusable(Method method) {
            if (method.getParameterCount() > 0 || method.getReturnType() == void.class) {
                throw new HandlerDeclarationException(HandlerMethods.describe(method)
                        + " is named by paramBy: it must have no parameters, and return the value");
            }
            MethodInvoker.open(method);
        }

        @SuppressWarnings("NullAway") // reflection takes null for a static method's instance
        private static @Nullable Object returned(Method method, HandlerInstance instance) {
            try {
                return method.invoke(instance.of(method).get());
            } catch (InvocationTargetException e) {
                throw new HandlerDeclarationException(
                        HandlerMethods.describe(method) + ", named by paramBy, has failed: " + e.getCause(), e);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("cannot call " + method, e);
            }
        }
    }

    /** Which annotations make handlers of which kind. Pure. */
    private static final class HandlerAnnotations {
        static final Map<Class<? extends Annotation>, HandlerKind> KINDS = Map.ofEntries(
                Map.entry(OnResume.class, HandlerKind.RESUME),
                Map.entry(OnCreate.class, HandlerKind.CREATE),
                Map.entry(OnUpdate.class, HandlerKind.UPDATE),
                Map.entry(OnDelete.class, HandlerKind.DELETE),
                Map.entry(OnField.class, HandlerKind.FIELD),
                Map.entry(OnEvent.class, HandlerKind.EVENT),
                Map.entry(OnIndex.class, HandlerKind.INDEX),
                Map.entry(OnDaemon.class, HandlerKind.DAEMON),
                Map.entry(OnTimer.class, HandlerKind.TIMER),
                Map.entry(OnValidate.class, HandlerKind.VALIDATE),
                Map.entry(OnMutate.class, HandlerKind.MUTATE),
                Map.entry(OnReconcile.class, HandlerKind.RECONCILE),
                Map.entry(OnChild.class, HandlerKind.CHILD));

        static final Map<Class<? extends Annotation>, Activity> ACTIVITIES = Map.of(
                OnStartup.class, Activity.STARTUP,
                OnCleanup.class, Activity.CLEANUP,
                OnLogin.class, Activity.LOGIN,
                OnProbe.class, Activity.PROBE);

        private HandlerAnnotations() {}

        /** Those annotations of a method in the order of the source, repeated ones one by one. */
        static List<Annotation> of(Method method, Map<Class<? extends Annotation>, ?> wanted) {
            List<Annotation> found = new ArrayList<>();
            for (Annotation annotation : method.getAnnotations()) {
                if (wanted.containsKey(annotation.annotationType())) {
                    found.add(annotation);
                } else if (isContainer(annotation, wanted)) {
                    Object value = new AnnotationAttributes(annotation).value("value");
                    found.addAll(Arrays.asList((Annotation[]) Objects.requireNonNull(value)));
                }
            }
            return found;
        }

        private static boolean isContainer(Annotation annotation, Map<Class<? extends Annotation>, ?> wanted) {
            Class<?> outer = annotation.annotationType().getEnclosingClass();
            return outer != null && wanted.keySet().contains(outer);
        }
    }

    /**
     * A method that converts, with one of its annotations. Immutable.
     *
     * @param method the method
     * @param annotation what it converts
     */
    private record ConversionMethod(Method method, OnConvert annotation) {
        private static final String FORM = "write it as V2Spec up(V1Spec spec), as V2Status up(V1Status status), or as"
                + " Map<String, Object> up(Body body)";

        private static final Map<Class<?>, ConversionFunction.Part> TYPES = Map.of(
                Spec.class,
                ConversionFunction.Part.SPEC,
                Status.class,
                ConversionFunction.Part.STATUS,
                Body.class,
                ConversionFunction.Part.BODY);

        /**
         * The function.
         *
         * @param instance whose method it is
         * @throws HandlerDeclarationException if the method does not have the form of a conversion
         */
        ConversionFunction of(HandlerInstance instance) {
            Parameter[] parameters = method.getParameters();
            if (parameters.length == 0 || parameters.length > 2) {
                throw mistake("it has " + parameters.length + " parameters; " + FORM);
            }
            if (parameters.length == 2 && parameters[1].getType() != Body.class) {
                throw mistake("its second parameter can be the whole object only, of the type Body; " + FORM);
            }
            if (method.getReturnType() == void.class || method.getReturnType() == Void.class) {
                throw mistake("it returns nothing; " + FORM);
            }
            MethodInvoker.open(method);
            Type type = HandlerMethods.typeOf(instance.type(), method, parameters[0]);
            if (!TYPES.containsKey(parameters[0].getType())) {
                ModelBinding.misreading(type).ifPresent(problem -> {
                    throw HandlerMethods.mistake(method, parameters[0], problem);
                });
            }
            return new ConversionFunction(
                    annotation.value(),
                    annotation.from(),
                    annotation.to(),
                    part(parameters[0]),
                    new ConversionFunction.Code(
                            type,
                            annotation.dropUnknown(),
                            HandlerMethods.describe(method),
                            invoker(instance.of(method), parameters.length == 2)));
        }

        private ConversionFunction.Part part(Parameter parameter) {
            ConversionFunction.Part byType = TYPES.get(parameter.getType());
            if (byType != null) {
                return byType;
            }
            Optional<ConversionFunction.Part> byName = Arrays.stream(ConversionFunction.Part.values())
                    .filter(each -> parameter.isNamePresent() && each.key().equals(parameter.getName()))
                    .findFirst();
            return byName.orElseThrow(() -> mistake(
                    parameter.isNamePresent()
                            ? "its first parameter is called '" + parameter.getName()
                                    + "'; call it spec, status or body, which says what is converted"
                            : "the names of its parameters are unknown; compile it with -parameters"));
        }

        private ConversionFunction.Invoker invoker(Supplier<@Nullable Object> owner, boolean takesBody) {
            return takesBody
                    ? (part, body) -> MethodInvoker.call(owner.get(), method, part, body)
                    : (part, body) -> MethodInvoker.call(owner.get(), method, part);
        }

        private HandlerDeclarationException mistake(String problem) {
            return new HandlerDeclarationException("@OnConvert on " + HandlerMethods.describe(method) + ": " + problem);
        }
    }

    /** Which ids the handlers of a class have whose annotations give none. Pure. */
    static final class HandlerIdRule {
        /**
         * Between a small letter or a digit and a capital one, and before the last of several capital ones:
         * {@code getURLOf}.
         */
        private static final Pattern WORD_END = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

        private HandlerIdRule() {}

        static String id(Class<?> type, String method) {
            return type.isAnnotationPresent(SnakeCaseIds.class) ? snakeCase(method) : method;
        }

        static String snakeCase(String name) {
            return WORD_END.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
        }
    }
}

package dev.kopf4j.engine.registration;

import dev.kopf4j.ActivityHandler;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Memo;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.conversion.ConversionFunction.ConversionRules;
import dev.kopf4j.engine.declaration.HandlerDeclaration;
import dev.kopf4j.engine.declaration.HandlerDeclarationRules;
import dev.kopf4j.engine.declaration.HandlerDeclarationRules.RetryDeclarationRules;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredActivity;
import dev.kopf4j.engine.declaration.RegisteredActivity.ActivityDeclaration;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.InjectableTypes;
import dev.kopf4j.engine.injection.InjectableTypes.DeclaredIndices;
import dev.kopf4j.rbac.DeclaredRule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the registry of an operator from everything that was registered, and refuses declarations that make no sense.
 * Pure.
 */
public final class RegistryBuilder {
    private RegistryBuilder() {}

    /** The registry of an operator with the usual memos. */
    public static HandlerRegistry build(List<Registration> registrations) {
        return build(registrations, Memo.class);
    }

    /**
     * The registry.
     *
     * @param memo the class of the memos that handlers may ask for
     * @throws HandlerDeclarationException if a declaration makes no sense, or there are none
     */
    public static HandlerRegistry build(List<Registration> registrations, Class<?> memo) {
        return build(registrations, memo, false);
    }

    /**
     * The registry of an operator that is only looked at, of which no code runs: instances of handler classes are made
     * at their first call, such as that of a {@code resourceWhen}, and what {@code paramBy} would give is unknown.
     *
     * @param memo the class of the memos that handlers may ask for
     * @throws HandlerDeclarationException if a declaration makes no sense, or there are none
     */
    public static HandlerRegistry survey(List<Registration> registrations, Class<?> memo) {
        return build(registrations, memo, true);
    }

    private static HandlerRegistry build(List<Registration> registrations, Class<?> memo, boolean surveyed) {
        InjectableTypes injectableTypes = new InjectableTypes(IndexDeclarations.of(registrations), memo);
        List<RegisteredHandler> handlers = new ArrayList<>();
        List<RegisteredActivity> activities = new ArrayList<>();
        List<ConversionFunction> conversions = new ArrayList<>();
        AnnotatedClass.StaticHandlers statics = new AnnotatedClass.StaticHandlers();
        for (Registration registration : registrations) {
            switch (registration) {
                case Registration.Annotated(Object bean) -> {
                    AnnotatedClass annotated = new AnnotatedClass(bean, surveyed, injectableTypes, statics);
                    annotated.refuseUncalled();
                    handlers.addAll(annotated.handlers());
                    activities.addAll(annotated.activities());
                    conversions.addAll(annotated.conversions());
                }
                case Registration.Converting(List<ConversionFunction> functions) -> conversions.addAll(functions);
                case Registration.Entitled _ -> {} // nothing that is called
                case Registration.Active(ActivityDeclaration declaration, ActivityHandler handler) ->
                    activities.add(functional(declaration, handler));
                case Registration.Functional(HandlerDeclaration declaration, Handler handler) ->
                    handlers.add(functional(declaration, handler));
            }
        }
        if (handlers.isEmpty() && activities.isEmpty() && conversions.isEmpty()) {
            throw new HandlerDeclarationException("there are no handlers; annotate a method, as in"
                    + " @OnCreate(\"kopfexamples\") void createFn(Spec spec) {...}");
        }
        handlers.forEach(HandlerDeclarationRules::check);
        refuseSameIds(handlers);
        ActivityDeclarationRules.check(activities);
        ConversionRules.check(conversions);
        return new HandlerRegistry(handlers, activities, conversions);
    }

    private static RegisteredHandler functional(HandlerDeclaration declaration, Handler handler) {
        String id = Objects.requireNonNull(declaration.id(), "the id of a registered function");
        HandlerDeclaration resolved = declaration.resolved(AnnotatedResource::resolved);
        return new RegisteredHandler(resolved, RegisteredHandler.fullId(id, resolved), handler, handler);
    }

    private static RegisteredActivity functional(ActivityDeclaration declaration, ActivityHandler handler) {
        String id = Objects.requireNonNull(declaration.id(), "the id of a registered function");
        return new RegisteredActivity(declaration, id, handler);
    }

    /**
     * Refuses two functions with one id: each would take the other's progress for its own. Where both have filters, an
     * object may be meant for one of them only; that is checked object by object, unless the filters say the same. So
     * it is for all kinds where a method of two objects is the function: each object's own filter method may choose.
     */
    private static void refuseSameIds(List<RegisteredHandler> handlers) {
        for (int i = 0; i < handlers.size(); i++) {
            for (RegisteredHandler other : handlers.subList(i + 1, handlers.size())) {
                RegisteredHandler one = handlers.get(i);
                if (one.id().equals(other.id())
                        && !one.function().equals(other.function())
                        && overlap(one, other)
                        && !(mayBeDisjoint(one)
                                && mayBeDisjoint(other)
                                && !one.options().choosesSameObjects(other.options()))
                        && !(isOfTwoObjects(one, other) && HandlerSelection.testsInCode(one))) {
                    throw new HandlerDeclarationException("two different functions have the id '" + one.id() + "' for "
                            + one.kind().annotation() + "("
                            + one.declaration().selector() + ") and "
                            + other.kind().annotation() + "("
                            + other.declaration().selector() + "): " + wayOut(one, other));
                }
            }
        }
    }

    private static boolean mayBeDisjoint(RegisteredHandler handler) {
        boolean oneAtATime = family(handler.kind()) == HandlerKind.FIELD || handler.kind() == HandlerKind.EVENT;
        return oneAtATime && handler.options().choosesObjects();
    }

    private static boolean overlap(RegisteredHandler one, RegisteredHandler other) {
        return family(one.kind()) == family(other.kind())
                && mayShareReason(one, other)
                && one.declaration().selector().mayOverlap(other.declaration().selector());
    }

    /** No creation is the first sight of an object that was there before, and a deletion only if that is wanted. */
    private static boolean mayShareReason(RegisteredHandler one, RegisteredHandler other) {
        return isFor(one, other.reason()) && isFor(other, one.reason());
    }

    private static boolean isFor(RegisteredHandler handler, @Nullable Reason reason) {
        if (handler.isInitial()) {
            return reason != Reason.CREATE
                    && (reason != Reason.DELETE || handler.options().deleted());
        }
        return handler.reason() == null || reason == null || handler.reason() == reason;
    }

    /** The families of handlers, which have separate ids: changes, raw events, indices, daemons and timers. */
    private static HandlerKind family(HandlerKind kind) {
        return switch (kind) {
            case RESUME, CREATE, UPDATE, DELETE, FIELD -> HandlerKind.FIELD;
            case DAEMON, TIMER -> HandlerKind.DAEMON;
            case VALIDATE, MUTATE -> HandlerKind.VALIDATE;
            case EVENT, INDEX, RECONCILE, CHILD -> kind;
        };
    }

    private static String wayOut(RegisteredHandler one, RegisteredHandler other) {
        if (isOfTwoObjects(one, other)
                && owner(one) instanceof Class<?> type
                && owner(other) instanceof Class<?> heir
                && !type.equals(heir)) {
            return name(one) + " of two classes, " + type.getSimpleName() + " and " + heir.getSimpleName()
                    + ", which both have it; make the one abstract that the other extends, or override the method in"
                    + " one of them, with an id of its own";
        }
        if (isOfTwoObjects(one, other)) {
            return name(one)
                    + " of two objects, to which an annotation gives the same id; register"
                    + " one object that serves both, or functions of Operator.builder() with ids of their own, or give"
                    + " the method a filter that lets no object pass to both (when = ...)";
        }
        if (isOfCompanion(method(one), method(other))) {
            return name(one) + " and " + name(other)
                    + ", which Kotlin's compiler makes of one function with @JvmStatic, both with its annotations; leave"
                    + " @JvmStatic out";
        }
        return name(one) + " and " + name(other)
                + hint(one, other)
                + "; give one of them an id of its own, as in @OnCreate(value = \"kopfexamples\", id = \"other\"),"
                + " or give both filters that let no object pass to both (handlers of changes and events)."
                + " If it is to be one function, called once when both are selected: register the same"
                + " object, kept in a variable, as each lambda and method reference is a function of its own";
    }

    /** In either order: the method of a companion object, and the static one of the class around it. */
    private static boolean isOfCompanion(@Nullable Method one, @Nullable Method other) {
        return one != null
                && other != null
                && one.getName().equals(other.getName())
                && Arrays.equals(one.getParameterTypes(), other.getParameterTypes())
                && (isOfCompanionOf(one, other) || isOfCompanionOf(other, one));
    }

    private static boolean isOfCompanionOf(Method outer, Method inner) {
        return Modifier.isStatic(outer.getModifiers())
                && !Modifier.isStatic(inner.getModifiers())
                && outer.getDeclaringClass().equals(inner.getDeclaringClass().getEnclosingClass());
    }

    /** Inherited methods come first. */
    private static String hint(RegisteredHandler one, RegisteredHandler other) {
        Method inherited = method(one);
        Method method = method(other);
        return inherited != null && method != null && HandlerMethods.isNoOverride(inherited, method)
                ? "; the one is package-private in "
                        + inherited.getDeclaringClass().getName()
                        + ", so that the other one, in another package, does not override it: make it protected"
                        + " if it is to be overridden"
                : "";
    }

    /** The class, or the object, whose method the function is; null if it is none. */
    private static @Nullable Object owner(RegisteredHandler handler) {
        return handler.function() instanceof List<?> parts ? parts.getFirst() : null;
    }

    private static boolean isOfTwoObjects(RegisteredHandler one, RegisteredHandler other) {
        Method method = method(one);
        return method != null && method.equals(method(other));
    }

    private static String name(RegisteredHandler handler) {
        Method method = method(handler);
        return method == null ? "a registered function" : HandlerMethods.describe(method);
    }

    private static @Nullable Method method(RegisteredHandler handler) {
        return handler.function() instanceof List<?> parts && parts.getLast() instanceof Method method ? method : null;
    }

    /** Refuses declarations of activities that make no sense. Pure. */
    private static final class ActivityDeclarationRules {
        private ActivityDeclarationRules() {}

        static void check(List<RegisteredActivity> activities) {
            Set<String> known = new HashSet<>();
            for (RegisteredActivity each : activities) {
                String problem = known.add(each.declaration().activity() + " " + each.id())
                        ? problem(each)
                        : "there is another one with this id; give one of them an id of its own";
                if (problem != null) {
                    throw new HandlerDeclarationException(
                            each.declaration().activity().annotation() + " handler '" + each.id() + "': " + problem);
                }
            }
        }

        private static @Nullable String problem(RegisteredActivity activity) {
            String id = activity.declaration().id();
            return id != null && id.isBlank()
                    ? "the id is blank; give it a name"
                    : RetryDeclarationRules.problem(activity.options());
        }
    }

    /** Finds the indices of what was registered, before any handler is read. Pure. */
    private static final class IndexDeclarations {
        private IndexDeclarations() {}

        static DeclaredIndices of(List<Registration> registrations) {
            return new DeclaredIndices(
                    registrations.stream().flatMap(IndexDeclarations::in).toList());
        }

        private static Stream<DeclaredIndices.Function> in(Registration registration) {
            return switch (registration) {
                case Registration.Annotated(Object bean) -> annotated(HandlerMethods.written(bean));
                case Registration.Active _, Registration.Converting _, Registration.Entitled _ -> Stream.empty();
                case Registration.Functional(var declaration, var _) ->
                    Stream.ofNullable(declaration.kind() == HandlerKind.INDEX ? declaration.id() : null)
                            .map(id -> new DeclaredIndices.Function(id, Object.class, "a registered function"));
            };
        }

        private static Stream<DeclaredIndices.Function> annotated(Class<?> type) {
            return HandlerMethods.of(type).stream()
                    .flatMap(method -> Arrays.stream(method.getAnnotationsByType(OnIndex.class))
                            .map(annotation -> function(method, annotation)));
        }

        private static DeclaredIndices.Function function(Method method, OnIndex annotation) {
            String id = annotation.id().isEmpty() ? method.getName() : annotation.id();
            return new DeclaredIndices.Function(id, method.getGenericReturnType(), HandlerMethods.describe(method));
        }
    }

    /** One entry of an {@link OperatorBuilder}, in the order they were made. Immutable. */
    public sealed interface Registration {
        /**
         * Annotated handlers.
         *
         * @param beanOrClass an instance or a class
         */
        record Annotated(Object beanOrClass) implements Registration {}

        /**
         * A function.
         *
         * @param declaration what was declared of it
         * @param handler the function
         */
        record Functional(HandlerDeclaration declaration, Handler handler) implements Registration {}

        /**
         * Functions that convert objects.
         *
         * @param functions those of one pair of versions
         */
        record Converting(List<ConversionFunction> functions) implements Registration {}

        /**
         * A right that handlers need for what they do by themselves.
         *
         * @param rule the right
         */
        record Entitled(DeclaredRule rule) implements Registration {}

        /**
         * A function that takes part in an activity.
         *
         * @param declaration what was declared of it
         * @param handler the function
         */
        record Active(ActivityDeclaration declaration, ActivityHandler handler) implements Registration {}
    }
}

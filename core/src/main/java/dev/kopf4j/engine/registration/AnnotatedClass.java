package dev.kopf4j.engine.registration;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnCleanup;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnLogin;
import dev.kopf4j.OnProbe;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnStartup;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.engine.handling.declaration.ActivityDeclaration;
import dev.kopf4j.engine.handling.declaration.HandlerDeclaration;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.injection.ActivityMethodInvoker;
import dev.kopf4j.engine.injection.HandlerMethods;
import dev.kopf4j.engine.injection.InjectableTypes;
import dev.kopf4j.engine.injection.MethodInvoker;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The handlers of one annotated class. Used once. */
final class AnnotatedClass {
    private static final Map<Class<? extends Annotation>, HandlerKind> KINDS = kinds();

    private static final Map<Class<? extends Annotation>, Activity> ACTIVITIES = Map.of(
            OnStartup.class, Activity.STARTUP,
            OnCleanup.class, Activity.CLEANUP,
            OnLogin.class, Activity.LOGIN,
            OnProbe.class, Activity.PROBE);

    private final Class<?> type;
    private final InjectableTypes injectableTypes;
    private @Nullable Object instance;

    /**
     * Of an instance, or of a class.
     *
     * @param injectableTypes what parameters can be given besides what all handlers have
     */
    AnnotatedClass(Object beanOrClass, InjectableTypes injectableTypes) {
        this.injectableTypes = injectableTypes;
        if (beanOrClass instanceof Class<?> given) {
            this.type = given;
        } else {
            this.type = beanOrClass.getClass();
            this.instance = beanOrClass;
        }
    }

    private static Map<Class<? extends Annotation>, HandlerKind> kinds() {
        Map<Class<? extends Annotation>, HandlerKind> kinds = new LinkedHashMap<>();
        kinds.put(OnResume.class, HandlerKind.RESUME);
        kinds.put(OnCreate.class, HandlerKind.CREATE);
        kinds.put(OnUpdate.class, HandlerKind.UPDATE);
        kinds.put(OnDelete.class, HandlerKind.DELETE);
        kinds.put(OnField.class, HandlerKind.FIELD);
        kinds.put(OnEvent.class, HandlerKind.EVENT);
        kinds.put(OnIndex.class, HandlerKind.INDEX);
        kinds.put(OnDaemon.class, HandlerKind.DAEMON);
        kinds.put(OnTimer.class, HandlerKind.TIMER);
        return kinds;
    }

    /** The handlers in the order of the source; none if nothing is annotated. */
    List<RegisteredHandler> handlers() {
        List<RegisteredHandler> handlers = new ArrayList<>();
        for (Method method : HandlerMethods.of(type)) {
            for (Annotation annotation : annotations(method, KINDS.keySet())) {
                handlers.add(handler(method, annotation));
            }
        }
        return handlers;
    }

    /** The handlers of activities in the order of the source; none if nothing is annotated. */
    List<RegisteredActivity> activities() {
        List<RegisteredActivity> handlers = new ArrayList<>();
        for (Method method : HandlerMethods.of(type)) {
            for (Annotation annotation : annotations(method, ACTIVITIES.keySet())) {
                handlers.add(activity(method, annotation));
            }
        }
        return handlers;
    }

    private RegisteredActivity activity(Method method, Annotation annotation) {
        Activity activity = java.util.Objects.requireNonNull(ACTIVITIES.get(annotation.annotationType()));
        @Nullable Object owner = Modifier.isStatic(method.getModifiers()) ? null : instance(method);
        ActivityDeclaration declaration = ActivityAnnotationReader.read(
                activity, new AnnotationAttributes(annotation), HandlerMethods.describe(method));
        String id = declaration.id() == null ? method.getName() : declaration.id();
        return new RegisteredActivity(
                declaration, id, ActivityMethodInvoker.of(owner, method, activity, injectableTypes));
    }

    /** Those annotations in the order of the source, repeated ones one by one. */
    private static List<Annotation> annotations(Method method, Set<Class<? extends Annotation>> wanted) {
        List<Annotation> found = new ArrayList<>();
        for (Annotation annotation : method.getAnnotations()) {
            if (wanted.contains(annotation.annotationType())) {
                found.add(annotation);
            } else if (isContainer(annotation, wanted)) {
                Object value = new AnnotationAttributes(annotation).value("value");
                found.addAll(Arrays.asList((Annotation[]) java.util.Objects.requireNonNull(value)));
            }
        }
        return found;
    }

    private static boolean isContainer(Annotation annotation, Set<Class<? extends Annotation>> wanted) {
        Class<?> outer = annotation.annotationType().getEnclosingClass();
        return outer != null && wanted.contains(outer);
    }

    private RegisteredHandler handler(Method method, Annotation annotation) {
        HandlerKind kind = java.util.Objects.requireNonNull(KINDS.get(annotation.annotationType()));
        @Nullable Object owner = Modifier.isStatic(method.getModifiers()) ? null : instance(method);
        FilterMethods filters = new FilterMethods(owner, type, injectableTypes);
        HandlerDeclaration declaration = new HandlerAnnotationReader(
                        kind, new AnnotationAttributes(annotation), HandlerMethods.describe(method), filters)
                .read();
        refuseIndexOfNothing(kind, method);
        String id = declaration.id() == null ? method.getName() : declaration.id();
        return new RegisteredHandler(
                declaration,
                RegisteredHandler.fullId(id, declaration),
                List.of(type, method),
                MethodInvoker.of(owner, method, kind, injectableTypes));
    }

    private static void refuseIndexOfNothing(HandlerKind kind, Method method) {
        if (kind == HandlerKind.INDEX
                && (method.getReturnType() == void.class || method.getReturnType() == Void.class)) {
            throw new HandlerDeclarationException("@OnIndex on " + HandlerMethods.describe(method)
                    + " returns nothing, so that nothing could ever be in the index; return a map of keys to values, or a"
                    + " value");
        }
    }

    /** One instance per class and operator, made when the first instance method needs it. */
    private Object instance(Method method) {
        Object known = instance;
        if (known == null) {
            known = construct(method);
            instance = known;
        }
        return known;
    }

    private Object construct(Method method) {
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new HandlerDeclarationException(
                    HandlerMethods.describe(method) + " is a handler of the abstract class " + type.getName()
                            + "; register a class that extends it, or make the method static");
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException e) {
            throw new HandlerDeclarationException(
                    type.getName() + " has no constructor without arguments; add one, or register an instance: new "
                            + type.getSimpleName() + "(...)",
                    e);
        } catch (InvocationTargetException e) {
            throw new HandlerDeclarationException(
                    "the constructor of " + type.getName() + " has failed: " + e.getCause(), e);
        } catch (InstantiationException | IllegalAccessException | InaccessibleObjectException e) {
            throw new HandlerDeclarationException(
                    "no instance of " + type.getName() + " can be made: " + e.getMessage(), e);
        }
    }
}

package dev.kopf4j.engine.registration;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnCleanup;
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
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which annotations make handlers of which kind. Pure. */
final class HandlerAnnotations {
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

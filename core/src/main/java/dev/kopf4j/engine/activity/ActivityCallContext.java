package dev.kopf4j.engine.activity;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityContext;
import dev.kopf4j.Index;
import dev.kopf4j.Logins;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** What one call of a handler can know. Immutable, but for the settings. */
record ActivityCallContext(
        RegisteredActivity handler,
        ActivityEnvironment activityEnvironment,
        Logger logger,
        Instant started,
        Duration runtime,
        InstantSource clock,
        int retry)
        implements ActivityContext {
    @Override
    public String handlerId() {
        return handler.id();
    }

    @Override
    public Activity activity() {
        return handler.declaration().activity();
    }

    @Override
    public OperatorSettings settings() {
        return activityEnvironment.settings();
    }

    @Override
    public @Nullable Object param() {
        return handler.declaration().param();
    }

    @Override
    public Logins logins() {
        if (activity() != Activity.LOGIN) {
            throw new IllegalStateException("only login handlers can log in, but " + handler + " is one of "
                    + activity().annotation());
        }
        return activityEnvironment.logins();
    }

    @Override
    public <M> M memo(Class<M> type) {
        return activityEnvironment.operatorMemos().ofOperator(type);
    }

    @Override
    @SuppressWarnings("unchecked") // as is said to the user
    public <K extends @Nullable Object, V extends @Nullable Object> Index<K, V> index(String id) {
        return (Index<K, V>) activityEnvironment.indexLookup().get(id);
    }

    @Override
    public <T> T service(Class<T> type) {
        if (activity() == Activity.LOGIN) {
            throw new IllegalStateException("a " + type.getSimpleName()
                    + " needs the credentials that login handlers give; " + handler + " cannot have one");
        }
        return type.cast(activityEnvironment.serviceProvider().get(type));
    }
}

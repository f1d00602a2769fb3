package dev.kopf4j.engine.declaration;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.AdmissionOptions;
import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.MatchPolicy;
import dev.kopf4j.OnChild;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDaemon;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnEvent;
import dev.kopf4j.OnField;
import dev.kopf4j.OnIndex;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnReconcile;
import dev.kopf4j.OnResume;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.ReinvocationPolicy;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.SubHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Collect the options of each kind of handler. */
public final class HandlerOptionsDrafts {
    private HandlerOptionsDrafts() {}

    /** Of {@link OnCreate}. */
    public static final class Create extends HandlerOptionsDraft<OnCreate.Options> implements OnCreate.Options {
        @Override
        OnCreate.Options self() {
            return this;
        }
    }

    /** Of {@link OnUpdate}. */
    public static final class Update extends ChangeOptionsDraft<OnUpdate.Options> implements OnUpdate.Options {
        @Override
        OnUpdate.Options self() {
            return this;
        }
    }

    /** Of {@link OnDelete}. */
    public static final class Delete extends HandlerOptionsDraft<OnDelete.Options> implements OnDelete.Options {
        @Override
        OnDelete.Options self() {
            return this;
        }

        @Override
        public OnDelete.Options optional() {
            optional = true;
            return this;
        }
    }

    /** Of {@link OnResume}. */
    public static final class Resume extends HandlerOptionsDraft<OnResume.Options> implements OnResume.Options {
        @Override
        OnResume.Options self() {
            return this;
        }

        @Override
        public OnResume.Options deleted() {
            deleted = true;
            return this;
        }
    }

    /** Of {@link OnField}. */
    public static final class Field extends ChangeOptionsDraft<OnField.Options> implements OnField.Options {
        @Override
        OnField.Options self() {
            return this;
        }
    }

    /** Of {@link OnEvent}. */
    public static final class Event extends HandlerOptionsDraft<OnEvent.Options> implements OnEvent.Options {
        @Override
        OnEvent.Options self() {
            return this;
        }
    }

    /** Of {@link OnIndex}. */
    public static final class Index extends HandlerOptionsDraft<OnIndex.Options> implements OnIndex.Options {
        @Override
        OnIndex.Options self() {
            return this;
        }
    }

    /** Of {@link OnDaemon}. */
    public static final class Daemon extends BackgroundOptionsDraft<OnDaemon.Options> implements OnDaemon.Options {
        @Override
        OnDaemon.Options self() {
            return this;
        }

        @Override
        public OnDaemon.Options cancellationBackoff(Duration time) {
            background.cancellationBackoff = time;
            return this;
        }

        @Override
        public OnDaemon.Options cancellationTimeout(Duration time) {
            background.cancellationTimeout = time;
            return this;
        }

        @Override
        public OnDaemon.Options cancellationPolling(Duration time) {
            background.cancellationPolling = time;
            return this;
        }
    }

    /** Of {@link OnTimer}. */
    public static final class Timer extends BackgroundOptionsDraft<OnTimer.Options> implements OnTimer.Options {
        @Override
        OnTimer.Options self() {
            return this;
        }

        @Override
        public OnTimer.Options interval(Duration time) {
            background.interval = time;
            return this;
        }

        @Override
        public OnTimer.Options sharp() {
            background.sharp = true;
            return this;
        }

        @Override
        public OnTimer.Options idle(Duration time) {
            background.idle = time;
            return this;
        }
    }

    /** Of {@link OnValidate}. */
    public static final class Validate extends AdmissionOptionsDraft<OnValidate.Options> implements OnValidate.Options {
        @Override
        OnValidate.Options self() {
            return this;
        }
    }

    /** Of {@link OnMutate}. */
    public static final class Mutate extends AdmissionOptionsDraft<OnMutate.Options> implements OnMutate.Options {
        @Override
        OnMutate.Options self() {
            return this;
        }

        @Override
        public OnMutate.Options reinvocationPolicy(ReinvocationPolicy policy) {
            admission.reinvocationPolicy = policy;
            return this;
        }
    }

    /** Of {@link OnReconcile}. */
    public static final class Reconcile extends HandlerOptionsDraft<OnReconcile.Options>
            implements OnReconcile.Options {
        /** A draft with the usual condition. */
        public Reconcile() {
            children.condition = "Ready";
        }

        @Override
        OnReconcile.Options self() {
            return this;
        }

        @Override
        public OnReconcile.Options children(String... kinds) {
            Arrays.stream(kinds).map(ResourceSelector::of).forEach(children.kinds::add);
            return this;
        }

        @Override
        public OnReconcile.Options children(ResourceSelector... kinds) {
            children.kinds.addAll(Arrays.asList(kinds));
            return this;
        }

        @Override
        public OnReconcile.Options force() {
            children.force = true;
            return this;
        }

        @Override
        public OnReconcile.Options adopt() {
            children.adopt = true;
            return this;
        }

        @Override
        public OnReconcile.Options ordered() {
            children.ordered = true;
            return this;
        }

        @Override
        public OnReconcile.Options bodies() {
            children.bodies = true;
            return this;
        }

        @Override
        public OnReconcile.Options condition(String type) {
            children.condition = type;
            return this;
        }
    }

    /** Of {@link OnChild}. */
    public static final class OfChild extends HandlerOptionsDraft<OnChild.Options> implements OnChild.Options {
        /** A draft for children of that resource. */
        public OfChild(ResourceSelector child) {
            children.kinds.add(child);
        }

        @Override
        OnChild.Options self() {
            return this;
        }

        @Override
        public OnChild.Options parentLabel(String key) {
            children.parentLabel = key;
            return this;
        }

        @Override
        public OnChild.Options parent(Function<? super Body, @Nullable String> function) {
            children.parentBy = function;
            return this;
        }

        @Override
        public OnChild.Options metadataOnly() {
            children.metadataOnly = true;
            return this;
        }
    }

    /** Of {@link SubHandlers}. */
    public static final class Child extends ChangeOptionsDraft<SubHandlers.Options> implements SubHandlers.Options {
        @Override
        SubHandlers.Options self() {
            return this;
        }
    }

    /**
     * Collects also when daemons and timers start. Confined.
     *
     * @param <O> the options of the kind, as users see them
     */
    abstract static class BackgroundOptionsDraft<O extends HandlerOptions<O>> extends HandlerOptionsDraft<O> {
        BackgroundOptionsDraft() {}

        public final O initialDelay(Duration time) {
            background.initialDelay(new InitialDelay.Fixed(time));
            return self();
        }

        public final O initialDelay(Function<? super HandlerContext, @Nullable Duration> function) {
            background.initialDelay(new InitialDelay.Computed(function));
            return self();
        }
    }

    /**
     * Collects also the filters of values before and after a change. Confined.
     *
     * @param <O> the options of the kind, as users see them
     */
    abstract static class ChangeOptionsDraft<O extends HandlerOptions<O>> extends HandlerOptionsDraft<O> {
        ChangeOptionsDraft() {}

        public final O oldValue(Object value) {
            filters.oldValue = ValueFilter.of(value, "oldValue");
            return self();
        }

        public final O oldValue(Predicate<? super @Nullable Object> test) {
            return oldValue((value, context) -> test.test(value));
        }

        public final O oldValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
            filters.oldValue = new ValueFilter.Callback(test);
            return self();
        }

        public final O newValue(Object value) {
            filters.newValue = ValueFilter.of(value, "newValue");
            return self();
        }

        public final O newValue(Predicate<? super @Nullable Object> test) {
            return newValue((value, context) -> test.test(value));
        }

        public final O newValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
            filters.newValue = new ValueFilter.Callback(test);
            return self();
        }
    }

    /**
     * Collects also which requests admission handlers are asked about. Confined.
     *
     * @param <O> the options of the kind, as users see them
     */
    abstract static class AdmissionOptionsDraft<O extends AdmissionOptions<O>> extends HandlerOptionsDraft<O>
            implements AdmissionOptions<O> {
        AdmissionOptionsDraft() {}

        @Override
        public final O operations(AdmissionOperation... each) {
            admission.operations = List.of(each);
            return self();
        }

        @Override
        public final O subresource(String name) {
            admission.subresource = name;
            return self();
        }

        @Override
        public final O persistent() {
            admission.persistent = true;
            return self();
        }

        @Override
        public final O sideEffects() {
            admission.sideEffects = true;
            return self();
        }

        @Override
        public final O ignoreFailures() {
            admission.ignoreFailures = true;
            return self();
        }

        @Override
        public final O namespaceSelector(String... selectors) {
            Arrays.stream(selectors).map(MetadataFilter::parseSelector).forEach(admission.namespaceSelector::addAll);
            return self();
        }

        @Override
        public final O matchConditions(String... expressions) {
            admission.matchConditions.addAll(List.of(expressions));
            return self();
        }

        @Override
        public final O matchPolicy(MatchPolicy policy) {
            admission.matchPolicy = policy;
            return self();
        }

        @Override
        public final O timeoutSeconds(int seconds) {
            admission.timeoutSeconds = seconds;
            return self();
        }
    }
}

package dev.kopf4j.engine.declaration;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityOptions;
import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.Body;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
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
import dev.kopf4j.engine.declaration.RegisteredActivity.ActivityDeclaration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The options of one handler, of whatever kind: nothing is given for those that its kind does not have. Filled by
 * lambdas and annotations alike, by a {@link Filling}; nobody changes it after that.
 */
public final class DeclaredOptions {
    /** The subresource that stands for all, and for the object itself. */
    public static final String ANY_SUBRESOURCE = "*";

    /** How long the API server waits where nothing is said, in seconds. */
    public static final int DEFAULT_TIMEOUT_SECONDS = 30;

    @Nullable ErrorsMode errors;

    @Nullable Duration timeout;

    @Nullable Integer retries;

    @Nullable Duration backoff;

    final List<MetadataFilter> labels = new ArrayList<>();
    private final List<MetadataFilter> labelsView = Collections.unmodifiableList(labels);
    final List<MetadataFilter> annotations = new ArrayList<>();
    private final List<MetadataFilter> annotationsView = Collections.unmodifiableList(annotations);
    final List<Predicate<? super HandlerContext>> when = new ArrayList<>();
    private final List<Predicate<? super HandlerContext>> whenView = Collections.unmodifiableList(when);
    List<String> field = List.of();

    @Nullable ValueFilter value;

    @Nullable ValueFilter oldValue;

    @Nullable ValueFilter newValue;

    boolean optional;
    boolean deleted;

    @Nullable InitialDelay initialDelay;

    @Nullable Duration interval;

    boolean sharp;

    @Nullable Duration idle;

    @Nullable Duration cancellationBackoff;

    @Nullable Duration cancellationTimeout;

    @Nullable Duration cancellationPolling;

    List<AdmissionOperation> operations = List.of();
    String subresource = "";
    boolean persistent;
    boolean sideEffects;
    boolean ignoreFailures;
    final List<MetadataFilter> namespaceSelector = new ArrayList<>();
    final List<String> matchConditions = new ArrayList<>();
    MatchPolicy matchPolicy = MatchPolicy.EQUIVALENT;
    int timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;
    ReinvocationPolicy reinvocationPolicy = ReinvocationPolicy.NEVER;

    @Nullable String parentLabel;

    @Nullable Function<? super Body, @Nullable String> parentBy;

    boolean force;
    boolean adopt;
    boolean ordered;
    boolean bodies;
    String condition = "";

    DeclaredOptions() {}

    /** What an arbitrary exception means; null for the default of its kind. */
    public @Nullable ErrorsMode errors() {
        return errors;
    }

    /** The time for all attempts; null for unlimited. */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** The number of attempts; null for unlimited. */
    public @Nullable Integer retries() {
        return retries;
    }

    /** The pause after an arbitrary exception; null for the setting. */
    public @Nullable Duration backoff() {
        return backoff;
    }

    /** Conditions on labels, all of which must hold. */
    public List<MetadataFilter> labels() {
        return labelsView;
    }

    /** Conditions on annotations, all of which must hold. */
    public List<MetadataFilter> annotations() {
        return annotationsView;
    }

    /** Further conditions, all of which must hold. */
    public List<Predicate<? super HandlerContext>> when() {
        return whenView;
    }

    /** The keys of the field that matters; empty for the whole object. */
    public List<String> field() {
        return field;
    }

    /** Which values of the field, old or new; null for present ones. */
    public @Nullable ValueFilter value() {
        return value;
    }

    /** Which old values of the field; null for any. */
    public @Nullable ValueFilter oldValue() {
        return oldValue;
    }

    /** Which new values of the field; null for any. */
    public @Nullable ValueFilter newValue() {
        return newValue;
    }

    /** True if the object need not wait for its deletion. */
    public boolean optional() {
        return optional;
    }

    /** True if it resumes objects that are being deleted too. */
    public boolean deleted() {
        return deleted;
    }

    /** How long a daemon or a timer waits before it starts; null for not at all. */
    public @Nullable InitialDelay initialDelay() {
        return initialDelay;
    }

    /** The time between two calls of a timer; null for none. */
    public @Nullable Duration interval() {
        return interval;
    }

    /** True if the interval is measured from start to start, not from end to start. */
    public boolean sharp() {
        return sharp;
    }

    /** How long an object must be unchanged before a timer is called; null for not at all. */
    public @Nullable Duration idle() {
        return idle;
    }

    /** How long a daemon may take to end by itself; null for no such stage. */
    public @Nullable Duration cancellationBackoff() {
        return cancellationBackoff;
    }

    /** How long a daemon may take to end after it was interrupted; null to never interrupt it. */
    public @Nullable Duration cancellationTimeout() {
        return cancellationTimeout;
    }

    /** How often a daemon is reported that does not end; null for the setting. */
    public @Nullable Duration cancellationPolling() {
        return cancellationPolling;
    }

    /** What the client of an admission request wants to do; empty for all operations. */
    public List<AdmissionOperation> operations() {
        return operations;
    }

    /** Which subresource; {@code *} for any and the object itself, empty for the object itself. */
    public String subresource() {
        return subresource;
    }

    /** True if its webhook outlives the operator. */
    public boolean persistent() {
        return persistent;
    }

    /** True if it changes something outside the object. */
    public boolean sideEffects() {
        return sideEffects;
    }

    /** True if requests go on where it cannot be asked. */
    public boolean ignoreFailures() {
        return ignoreFailures;
    }

    /** Conditions on the labels of the namespace, all of which must hold. */
    public List<MetadataFilter> namespaceSelector() {
        return Collections.unmodifiableList(namespaceSelector);
    }

    /** Conditions in CEL, all of which must hold. */
    public List<String> matchConditions() {
        return Collections.unmodifiableList(matchConditions);
    }

    /** Whether other versions of the resource count. */
    public MatchPolicy matchPolicy() {
        return matchPolicy;
    }

    /** How long the API server waits. */
    public int timeoutSeconds() {
        return timeoutSeconds;
    }

    /** Whether it is called again after others. */
    public ReinvocationPolicy reinvocationPolicy() {
        return reinvocationPolicy;
    }

    /** The label whose value is the parent's name; null for owner references. */
    public @Nullable String parentLabel() {
        return parentLabel;
    }

    /** Finds the parent's name; null for owner references. */
    public @Nullable Function<? super Body, @Nullable String> parentBy() {
        return parentBy;
    }

    /** True to take fields of children from any other manager. */
    public boolean force() {
        return force;
    }

    /** True to take over objects that somebody else has made. */
    public boolean adopt() {
        return adopt;
    }

    /** True to delete the children before the parent. */
    public boolean ordered() {
        return ordered;
    }

    /** True to keep the children as they are for handlers that look at them. */
    public boolean bodies() {
        return bodies;
    }

    /** The type of the parent's condition; empty for none. */
    public String condition() {
        return condition;
    }

    /** True if requests about this subresource, or the object itself where it is empty, are its business. */
    public boolean isForSubresource(String requested) {
        return subresource.equals(ANY_SUBRESOURCE) || subresource.equals(requested);
    }

    /** True if it has filters, by which objects may be meant for another handler. */
    public boolean choosesObjects() {
        return !(labels.isEmpty() && annotations.isEmpty() && when.isEmpty() && value == null);
    }

    /** True if the filters let the same objects pass as those of the other handler, as far as their texts tell. */
    public boolean choosesSameObjects(DeclaredOptions other) {
        return when.isEmpty()
                && other.when.isEmpty()
                && Objects.equals(field, other.field)
                && List.of(labels, annotations).equals(List.of(other.labels, other.annotations))
                && Arrays.asList(value, oldValue, newValue)
                        .equals(Arrays.asList(other.value, other.oldValue, other.newValue));
    }

    /** True if it is asked about deletions and nothing else. */
    public boolean isForDeletionsOnly() {
        return operations.equals(List.of(AdmissionOperation.DELETE));
    }

    /** True if children belong to their owners. */
    public boolean isByOwner() {
        return parentLabel == null && parentBy == null;
    }

    /**
     * Takes the options of a handler, one by one: lambdas call it by the interface of their kind, annotations are read
     * into it as they are ({@link Annotated}). Confined.
     *
     * @param <O> the options of the kind, as users see them
     */
    public abstract static sealed class Filling<O> {
        private final DeclaredOptions options = new DeclaredOptions();
        private final List<ResourceSelector> children = new ArrayList<>();
        private @Nullable Object param;

        private Filling() {}

        @SuppressWarnings("unchecked") // each kind is its own options
        private O self() {
            return (O) this;
        }

        /**
         * What the options make of a handler.
         *
         * @param id its id; null if it is to be the method's name
         */
        public HandlerDeclaration declare(HandlerKind kind, ResourceSelector selector, @Nullable String id) {
            return new HandlerDeclaration(kind, selector, children, id, param, options);
        }

        /** What the options make of the handler of an activity. */
        public ActivityDeclaration declare(Activity activity, @Nullable String id) {
            return new ActivityDeclaration(activity, id, param, options);
        }

        /** What was given so far. */
        public DeclaredOptions options() {
            return options;
        }

        /** Of all kinds: see {@link dev.kopf4j.HandlerOptions}. */
        public O param(@Nullable Object any) {
            param = any;
            return self();
        }

        public O labels(String... selectors) {
            Arrays.stream(selectors).map(MetadataFilter::parseSelector).forEach(options.labels::addAll);
            return self();
        }

        public O label(String key, Predicate<? super @Nullable String> test) {
            return label(key, (value, context) -> test.test(value));
        }

        public O label(String key, BiPredicate<? super @Nullable String, ? super HandlerContext> test) {
            options.labels.add(new MetadataFilter.Callback(key, test));
            return self();
        }

        public O annotations(String... each) {
            Arrays.stream(each).map(MetadataFilter::parseAnnotation).forEach(options.annotations::add);
            return self();
        }

        public O annotation(String key, Predicate<? super @Nullable String> test) {
            return annotation(key, (value, context) -> test.test(value));
        }

        public O annotation(String key, BiPredicate<? super @Nullable String, ? super HandlerContext> test) {
            options.annotations.add(new MetadataFilter.Callback(key, test));
            return self();
        }

        public O when(Predicate<? super HandlerContext> test) {
            options.when.add(test);
            return self();
        }

        public O field(String path) {
            return field(List.of(path.split("\\.", -1)));
        }

        public O field(List<String> keys) {
            options.field = List.copyOf(keys);
            return self();
        }

        public O fieldValue(Object value) {
            options.value = ValueFilter.of(value, "fieldValue");
            return self();
        }

        public O fieldValue(Predicate<? super @Nullable Object> test) {
            return fieldValue((value, context) -> test.test(value));
        }

        public O fieldValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
            options.value = new ValueFilter.Callback(test);
            return self();
        }

        /** Of kinds that have filters of values before and after a change: see {@link OnUpdate.Options}. */
        public O oldValue(Object value) {
            options.oldValue = ValueFilter.of(value, "oldValue");
            return self();
        }

        public O oldValue(Predicate<? super @Nullable Object> test) {
            return oldValue((value, context) -> test.test(value));
        }

        public O oldValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
            options.oldValue = new ValueFilter.Callback(test);
            return self();
        }

        public O newValue(Object value) {
            options.newValue = ValueFilter.of(value, "newValue");
            return self();
        }

        public O newValue(Predicate<? super @Nullable Object> test) {
            return newValue((value, context) -> test.test(value));
        }

        public O newValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
            options.newValue = new ValueFilter.Callback(test);
            return self();
        }

        /** All filters of values; null for those that are not given. */
        public O values(@Nullable ValueFilter value, @Nullable ValueFilter before, @Nullable ValueFilter after) {
            options.value = value;
            options.oldValue = before;
            options.newValue = after;
            return self();
        }

        /** Of kinds that are tried again: see {@link dev.kopf4j.RetryOptions}. */
        public O errors(ErrorsMode mode) {
            options.errors = mode;
            return self();
        }

        public O timeout(Duration time) {
            options.timeout = time;
            return self();
        }

        public O retries(int attempts) {
            options.retries = attempts;
            return self();
        }

        public O backoff(Duration time) {
            options.backoff = time;
            return self();
        }

        /** Of deletion handlers. */
        public O optional() {
            options.optional = true;
            return self();
        }

        /** Of resuming handlers. */
        public O deleted() {
            options.deleted = true;
            return self();
        }

        /** Of daemons and timers: see {@link OnDaemon.Options} and {@link OnTimer.Options}. */
        public O initialDelay(Duration time) {
            options.initialDelay = new InitialDelay.Fixed(time);
            return self();
        }

        public O initialDelay(Function<? super HandlerContext, @Nullable Duration> function) {
            options.initialDelay = new InitialDelay.Computed(function);
            return self();
        }

        public O interval(Duration time) {
            options.interval = time;
            return self();
        }

        public O sharp() {
            options.sharp = true;
            return self();
        }

        public O idle(Duration time) {
            options.idle = time;
            return self();
        }

        public O cancellationBackoff(Duration time) {
            options.cancellationBackoff = time;
            return self();
        }

        public O cancellationTimeout(Duration time) {
            options.cancellationTimeout = time;
            return self();
        }

        public O cancellationPolling(Duration time) {
            options.cancellationPolling = time;
            return self();
        }

        /** Of admission handlers: see {@link dev.kopf4j.AdmissionOptions}. */
        public O operations(AdmissionOperation... each) {
            options.operations = List.of(each);
            return self();
        }

        public O subresource(String name) {
            options.subresource = name;
            return self();
        }

        public O persistent() {
            options.persistent = true;
            return self();
        }

        public O sideEffects() {
            options.sideEffects = true;
            return self();
        }

        public O ignoreFailures() {
            options.ignoreFailures = true;
            return self();
        }

        public O namespaceSelector(String... selectors) {
            Arrays.stream(selectors).map(MetadataFilter::parseSelector).forEach(options.namespaceSelector::addAll);
            return self();
        }

        public O matchConditions(String... expressions) {
            options.matchConditions.addAll(List.of(expressions));
            return self();
        }

        public O matchPolicy(MatchPolicy policy) {
            options.matchPolicy = policy;
            return self();
        }

        public O timeoutSeconds(int seconds) {
            options.timeoutSeconds = seconds;
            return self();
        }

        public O reinvocationPolicy(ReinvocationPolicy policy) {
            options.reinvocationPolicy = policy;
            return self();
        }

        /** Of handlers that are about children: see {@link OnReconcile.Options} and {@link OnChild.Options}. */
        public O children(String... kinds) {
            Arrays.stream(kinds).map(ResourceSelector::of).forEach(children::add);
            return self();
        }

        public O children(ResourceSelector... kinds) {
            children.addAll(Arrays.asList(kinds));
            return self();
        }

        public O force() {
            options.force = true;
            return self();
        }

        public O adopt() {
            options.adopt = true;
            return self();
        }

        public O ordered() {
            options.ordered = true;
            return self();
        }

        public O bodies(boolean kept) {
            options.bodies = kept;
            return self();
        }

        public O condition(String type) {
            options.condition = type;
            return self();
        }

        public O parentLabel(String key) {
            options.parentLabel = key;
            return self();
        }

        public O parent(Function<? super Body, @Nullable String> function) {
            options.parentBy = function;
            return self();
        }
    }

    /** Of {@link OnCreate}. */
    public static final class Create extends Filling<OnCreate.Options> implements OnCreate.Options {}

    /** Of {@link OnUpdate}. */
    public static final class Update extends Filling<OnUpdate.Options> implements OnUpdate.Options {}

    /** Of {@link OnDelete}. */
    public static final class Delete extends Filling<OnDelete.Options> implements OnDelete.Options {}

    /** Of {@link OnResume}. */
    public static final class Resume extends Filling<OnResume.Options> implements OnResume.Options {}

    /** Of {@link OnField}. */
    public static final class Field extends Filling<OnField.Options> implements OnField.Options {}

    /** Of {@link OnEvent}. */
    public static final class Event extends Filling<OnEvent.Options> implements OnEvent.Options {}

    /** Of {@link OnIndex}. */
    public static final class Index extends Filling<OnIndex.Options> implements OnIndex.Options {}

    /** Of {@link OnDaemon}. */
    public static final class Daemon extends Filling<OnDaemon.Options> implements OnDaemon.Options {}

    /** Of {@link OnTimer}. */
    public static final class Timer extends Filling<OnTimer.Options> implements OnTimer.Options {}

    /** Of {@link OnValidate}. */
    public static final class Validate extends Filling<OnValidate.Options> implements OnValidate.Options {}

    /** Of {@link OnMutate}. */
    public static final class Mutate extends Filling<OnMutate.Options> implements OnMutate.Options {}

    /** Of {@link OnReconcile}. */
    public static final class Reconcile extends Filling<OnReconcile.Options> implements OnReconcile.Options {
        /** With the usual condition. */
        public Reconcile() {
            condition("Ready");
        }
    }

    /** Of {@link OnChild}. */
    public static final class OfChild extends Filling<OnChild.Options> implements OnChild.Options {
        /** For children of that resource, which are kept as they are. */
        public OfChild(ResourceSelector child) {
            children(child);
            bodies(true);
        }
    }

    /** Of {@link SubHandlers}. */
    public static final class Sub extends Filling<SubHandlers.Options> implements SubHandlers.Options {}

    /** Of the handlers of activities. */
    public static final class Active extends Filling<ActivityOptions> implements ActivityOptions {}

    /** Of an annotation, of whatever kind. */
    public static final class Annotated extends Filling<Annotated> {}

    /** How long a daemon or a timer waits before it starts. Immutable. */
    public sealed interface InitialDelay {
        /**
         * The same time for all objects.
         *
         * @param delay the time, not negative
         */
        record Fixed(Duration delay) implements InitialDelay {}

        /**
         * A time that a function gives when an object is seen. It is called in a task of its own.
         *
         * @param function gives the time; null or a negative one for none
         */
        record Computed(Function<? super HandlerContext, @Nullable Duration> function) implements InitialDelay {}
    }
}

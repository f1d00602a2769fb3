package dev.kopf4j;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The options of a handler in the style without annotations; they mean what the attributes of the annotations mean.
 *
 * <p>Mutable and confined: used while the operator is built.
 */
public final class HandlerOptions {
    @Nullable String id;

    @Nullable Object param;

    @Nullable ErrorsMode errors;

    @Nullable Duration timeout;

    @Nullable Integer retries;

    @Nullable Duration backoff;

    final List<MetadataFilter> labels = new ArrayList<>();
    final List<MetadataFilter> annotations = new ArrayList<>();
    final List<Predicate<HandlerContext>> when = new ArrayList<>();
    List<String> field = List.of();

    @Nullable ValueFilter value;

    @Nullable ValueFilter oldValue;

    @Nullable ValueFilter newValue;

    boolean optional;
    boolean deleted;

    private @Nullable InitialDelay initialDelay;

    private @Nullable Duration interval;

    private boolean sharp;

    private @Nullable Duration idle;

    private @Nullable Duration cancellationBackoff;

    private @Nullable Duration cancellationTimeout;

    private @Nullable Duration cancellationPolling;

    public HandlerOptions() {}

    /** The handler's id, by which its progress and results are stored; mandatory for lambdas. */
    public HandlerOptions id(String text) {
        this.id = text;
        return this;
    }

    /** A value for {@link HandlerContext#param}. */
    public HandlerOptions param(@Nullable Object any) {
        this.param = any;
        return this;
    }

    /**
     * What an arbitrary exception means; {@link ErrorsMode#TEMPORARY} by default, {@link ErrorsMode#IGNORED} in event
     * handlers.
     */
    public HandlerOptions errors(ErrorsMode mode) {
        this.errors = mode;
        return this;
    }

    /** How long the handler may take over all its attempts; unlimited by default. */
    public HandlerOptions timeout(Duration time) {
        this.timeout = time;
        return this;
    }

    /** How many attempts there are in all; unlimited by default. */
    public HandlerOptions retries(int attempts) {
        this.retries = attempts;
        return this;
    }

    /** The pause after an arbitrary exception. */
    public HandlerOptions backoff(Duration time) {
        this.backoff = time;
        return this;
    }

    /** Which objects, by labels in Kubernetes' selector syntax: {@code "app=web,tier in (a,b),!legacy"}. */
    public HandlerOptions labels(String selector) {
        this.labels.addAll(MetadataFilter.parseSelector(selector));
        return this;
    }

    /** Which objects, by the value of one label; the value is null where the label is absent. */
    public HandlerOptions label(String key, Predicate<@Nullable String> test) {
        this.labels.add(new MetadataFilter.Callback(key, test));
        return this;
    }

    /**
     * Which objects, by annotations: {@code "key=value"}, {@code "key"} for present, {@code "!key"} for absent; all
     * must hold.
     */
    public HandlerOptions annotations(String... filters) {
        for (String filter : filters) {
            this.annotations.add(MetadataFilter.parseAnnotation(filter));
        }
        return this;
    }

    /** Which objects, by the value of one annotation; the value is null where the annotation is absent. */
    public HandlerOptions annotation(String key, Predicate<@Nullable String> test) {
        this.annotations.add(new MetadataFilter.Callback(key, test));
        return this;
    }

    /** Which objects, by a test of one's own; called after all other filters. Several must all hold. */
    public HandlerOptions when(Predicate<HandlerContext> test) {
        this.when.add(test);
        return this;
    }

    /** The field that matters: a dotted path, or keys one below the other. */
    public HandlerOptions field(String... keys) {
        this.field = keys.length == 1 ? List.of(keys[0].split("\\.", -1)) : List.of(keys);
        return this;
    }

    /** The field that matters, for keys that have dots themselves: keys one below the other, taken as they are. */
    public HandlerOptions fieldKeys(String... keys) {
        this.field = List.of(keys);
        return this;
    }

    /** The value of the field, before or after the change. */
    public HandlerOptions value(ValueFilter filter) {
        this.value = filter;
        return this;
    }

    /** The value of the field before the change; for update and field handlers. */
    public HandlerOptions oldValue(ValueFilter filter) {
        this.oldValue = filter;
        return this;
    }

    /** The value of the field after the change; for update and field handlers. */
    public HandlerOptions newValue(ValueFilter filter) {
        this.newValue = filter;
        return this;
    }

    /** The object need not wait for the deletion handler: no finalizer. */
    public HandlerOptions optional() {
        this.optional = true;
        return this;
    }

    /** The resuming handler is called also for objects that are being deleted. */
    public HandlerOptions deleted() {
        this.deleted = true;
        return this;
    }

    /** How long a daemon or a timer waits before it starts; not at all by default. */
    public HandlerOptions initialDelay(Duration time) {
        this.initialDelay = new InitialDelay.Fixed(time);
        return this;
    }

    /** How long a daemon or a timer waits before it starts, by object. */
    public HandlerOptions initialDelay(InitialDelay.Function function) {
        this.initialDelay = new InitialDelay.Computed(function);
        return this;
    }

    /** The time between two calls of a timer, from the end of one to the start of the next. */
    public HandlerOptions interval(Duration time) {
        this.interval = time;
        return this;
    }

    /** The interval of a timer is measured from start to start; calls that are missed meanwhile are left out. */
    public HandlerOptions sharp() {
        this.sharp = true;
        return this;
    }

    /** How long an object must be unchanged before a timer is called. */
    public HandlerOptions idle(Duration time) {
        this.idle = time;
        return this;
    }

    /** How long a daemon may take to end by itself before it is interrupted. */
    public HandlerOptions cancellationBackoff(Duration time) {
        this.cancellationBackoff = time;
        return this;
    }

    /** How long a daemon may take to end after it was interrupted; without it, it is never interrupted. */
    public HandlerOptions cancellationTimeout(Duration time) {
        this.cancellationTimeout = time;
        return this;
    }

    /** How often a daemon is reported that does not end. */
    public HandlerOptions cancellationPolling(Duration time) {
        this.cancellationPolling = time;
        return this;
    }

    BackgroundOptions background() {
        return new BackgroundOptions(
                initialDelay, interval, sharp, idle, cancellationBackoff, cancellationTimeout, cancellationPolling);
    }
}

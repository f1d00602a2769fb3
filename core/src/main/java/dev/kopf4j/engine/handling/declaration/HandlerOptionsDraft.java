package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.Body;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.ResourceSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects the options that handlers of all kinds have; {@link HandlerOptionsDrafts} adds those of single kinds.
 * Confined.
 *
 * @param <O> the options of the kind, as users see them
 */
public abstract class HandlerOptionsDraft<O extends HandlerOptions<O>> implements HandlerOptions<O> {
    final FilterDraft filters = new FilterDraft();
    final BackgroundDraft background = new BackgroundDraft();
    final AdmissionDraft admission = new AdmissionDraft();
    final ChildDraft children = new ChildDraft();
    private final RetryDraft retry = new RetryDraft();
    private @Nullable Object param;
    boolean optional;
    boolean deleted;

    HandlerOptionsDraft() {}

    abstract O self();

    /** What the options make of a handler. */
    public final HandlerDeclaration declare(HandlerKind kind, ResourceSelector selector, String id) {
        return new HandlerDeclaration(
                kind,
                selector,
                id,
                param,
                retry.declare(),
                filters.declare(),
                optional,
                deleted,
                background.declare(),
                admission.declare(),
                children.declare());
    }

    @Override
    public final O param(@Nullable Object any) {
        param = any;
        return self();
    }

    @Override
    public final O labels(String... selectors) {
        Arrays.stream(selectors).map(MetadataFilter::parseSelector).forEach(filters.labels::addAll);
        return self();
    }

    @Override
    public final O label(String key, Predicate<? super @Nullable String> test) {
        return label(key, (value, context) -> test.test(value));
    }

    @Override
    public final O label(String key, BiPredicate<? super @Nullable String, ? super HandlerContext> test) {
        filters.labels.add(new MetadataFilter.Callback(key, test));
        return self();
    }

    @Override
    public final O annotations(String... each) {
        Arrays.stream(each).map(MetadataFilter::parseAnnotation).forEach(filters.annotations::add);
        return self();
    }

    @Override
    public final O annotation(String key, Predicate<? super @Nullable String> test) {
        return annotation(key, (value, context) -> test.test(value));
    }

    @Override
    public final O annotation(String key, BiPredicate<? super @Nullable String, ? super HandlerContext> test) {
        filters.annotations.add(new MetadataFilter.Callback(key, test));
        return self();
    }

    @Override
    public final O when(Predicate<? super HandlerContext> test) {
        filters.when.add(test);
        return self();
    }

    @Override
    public final O field(String path) {
        return field(List.of(path.split("\\.", -1)));
    }

    @Override
    public final O field(List<String> keys) {
        filters.field = List.copyOf(keys);
        return self();
    }

    @Override
    public final O fieldValue(Object value) {
        filters.value = ValueFilter.of(value, "fieldValue");
        return self();
    }

    @Override
    public final O fieldValue(Predicate<? super @Nullable Object> test) {
        return fieldValue((value, context) -> test.test(value));
    }

    @Override
    public final O fieldValue(BiPredicate<? super @Nullable Object, ? super HandlerContext> test) {
        filters.value = new ValueFilter.Callback(test);
        return self();
    }

    /** As in {@link dev.kopf4j.RetryOptions}, which not all kinds have. */
    public final O errors(ErrorsMode mode) {
        retry.errors = mode;
        return self();
    }

    /** As in {@link dev.kopf4j.RetryOptions}. */
    public final O timeout(Duration time) {
        retry.timeout = time;
        return self();
    }

    /** As in {@link dev.kopf4j.RetryOptions}. */
    public final O retries(int attempts) {
        retry.retries = attempts;
        return self();
    }

    /** As in {@link dev.kopf4j.RetryOptions}. */
    public final O backoff(Duration time) {
        retry.backoff = time;
        return self();
    }

    /** A {@link BackgroundDeclaration} in the making. Confined. */
    static final class BackgroundDraft {
        @Nullable InitialDelay initialDelay;

        @Nullable Duration interval;

        boolean sharp;

        @Nullable Duration idle;

        @Nullable Duration cancellationBackoff;

        @Nullable Duration cancellationTimeout;

        @Nullable Duration cancellationPolling;

        BackgroundDeclaration declare() {
            return new BackgroundDeclaration(
                    initialDelay, interval, sharp, idle, cancellationBackoff, cancellationTimeout, cancellationPolling);
        }
    }

    /** A {@link ChildDeclaration} in the making. Confined. */
    static final class ChildDraft {
        final List<ResourceSelector> kinds = new ArrayList<>();

        @Nullable String parentLabel;

        @Nullable Function<? super Body, @Nullable String> parentBy;

        boolean metadataOnly;

        boolean force;
        boolean adopt;

        boolean ordered;

        boolean bodies;

        String condition = "";

        ChildDeclaration declare() {
            return new ChildDeclaration(
                    kinds, parentLabel, parentBy, metadataOnly, force, adopt, ordered, bodies, condition);
        }
    }

    /** A {@link FilterDeclaration} in the making. Confined. */
    static final class FilterDraft {
        final List<MetadataFilter> labels = new ArrayList<>();
        final List<MetadataFilter> annotations = new ArrayList<>();
        final List<Predicate<? super HandlerContext>> when = new ArrayList<>();
        List<String> field = List.of();

        @Nullable ValueFilter value;

        @Nullable ValueFilter oldValue;

        @Nullable ValueFilter newValue;

        FilterDeclaration declare() {
            return new FilterDeclaration(labels, annotations, when, field, value, oldValue, newValue);
        }
    }
}

package dev.kopf4j.engine.declaration;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.HandlerOptions;
import dev.kopf4j.ResourceSelector;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects the options that handlers of all kinds have; {@link HandlerOptionsDrafts} adds those of single kinds.
 * Confined.
 *
 * @param <O> the options of the kind, as users see them
 */
public abstract class HandlerOptionsDraft<O extends HandlerOptions<O>> implements HandlerOptions<O> {
    final FilterDeclaration.Draft filters = new FilterDeclaration.Draft();
    final BackgroundDeclaration.Draft background = new BackgroundDeclaration.Draft();
    final AdmissionDeclaration.Draft admission = new AdmissionDeclaration.Draft();
    final ChildDeclaration.Draft children = new ChildDeclaration.Draft();
    private final RetryDeclaration.Draft retry = new RetryDeclaration.Draft();
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
}

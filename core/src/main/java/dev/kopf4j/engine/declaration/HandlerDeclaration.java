package dev.kopf4j.engine.declaration;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.ResourceSelector;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What was declared of a handler, in either style. Immutable.
 *
 * @param kind what it is called for
 * @param selector for which resources
 * @param id its id without the suffix of the field; null if it is to be the method's name
 * @param param a value for its parameter {@code param}
 * @param retry how often it is called when it fails
 * @param filters for which objects
 * @param optional true if the object need not wait for its deletion
 * @param deleted true if it resumes objects that are being deleted too
 * @param background when a daemon or a timer starts, runs, and is stopped; nothing is given for other kinds
 * @param admission which requests an admission handler is asked about; nothing is given for other kinds
 * @param children which children the handler is about; nothing is given for other kinds
 */
public record HandlerDeclaration(
        HandlerKind kind,
        ResourceSelector selector,
        @Nullable String id,
        @Nullable Object param,
        RetryDeclaration retry,
        FilterDeclaration filters,
        boolean optional,
        boolean deleted,
        BackgroundDeclaration background,
        AdmissionDeclaration admission,
        ChildDeclaration children) {
    /** The same for other resources. */
    public HandlerDeclaration withSelector(ResourceSelector other) {
        return new HandlerDeclaration(
                kind, other, id, param, retry, filters, optional, deleted, background, admission, children);
    }

    /** The same for other children. */
    public HandlerDeclaration withChildren(ChildDeclaration other) {
        return new HandlerDeclaration(
                kind, selector, id, param, retry, filters, optional, deleted, background, admission, other);
    }

    /** What an arbitrary exception means; null for the default of its kind. */
    public @Nullable ErrorsMode errors() {
        return retry.errors();
    }

    /** The time for all attempts; null for unlimited. */
    public @Nullable Duration timeout() {
        return retry.timeout();
    }

    /** The number of attempts; null for unlimited. */
    public @Nullable Integer retries() {
        return retry.retries();
    }

    /** The pause after an arbitrary exception; null for the setting. */
    public @Nullable Duration backoff() {
        return retry.backoff();
    }

    /** Conditions on labels, all of which must hold. */
    public List<MetadataFilter> labels() {
        return filters.labels();
    }

    /** Conditions on annotations, all of which must hold. */
    public List<MetadataFilter> annotations() {
        return filters.annotations();
    }

    /** Further conditions, all of which must hold. */
    public List<Predicate<? super HandlerContext>> when() {
        return filters.when();
    }

    /** The keys of the field that matters; empty for the whole object. */
    public List<String> field() {
        return filters.field();
    }

    /** Which values of the field, old or new; null for present ones. */
    public @Nullable ValueFilter value() {
        return filters.value();
    }

    /** Which old values of the field; null for any. */
    public @Nullable ValueFilter oldValue() {
        return filters.oldValue();
    }

    /** Which new values of the field; null for any. */
    public @Nullable ValueFilter newValue() {
        return filters.newValue();
    }
}

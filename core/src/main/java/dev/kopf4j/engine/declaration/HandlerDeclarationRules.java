package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.declaration.DeclaredOptions.InitialDelay;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Refuses declarations of handlers that make no sense. Pure. */
public final class HandlerDeclarationRules {
    private static final Set<HandlerKind> WITHOUT_RECORDS =
            EnumSet.complementOf(EnumSet.range(HandlerKind.RESUME, HandlerKind.FIELD));

    private HandlerDeclarationRules() {}

    /**
     * Refuses what makes no sense.
     *
     * @throws HandlerDeclarationException with the handler, the mistake, and the right form
     */
    public static void check(RegisteredHandler handler) {
        boolean lacksField =
                handler.kind() == HandlerKind.FIELD && handler.options().field().isEmpty();
        refuse(
                handler,
                lacksField
                        ? "a field handler needs its field, as in @OnField(value = \"kopfexamples\", field = \"spec.size\")"
                        : problem(handler));
    }

    /**
     * Refuses the same of a sub-handler; the field of its parent is enough.
     *
     * @throws HandlerDeclarationException with the handler, the mistake, and the right form
     */
    public static void checkSubHandler(RegisteredHandler handler) {
        refuse(handler, problem(handler));
    }

    /**
     * Refuses ids under which no progress could be stored: their objects would be handled again and again. Handlers
     * that keep no progress on the object may have any.
     *
     * @throws HandlerDeclarationException with the handler, what is wrong with its id, and the way out
     */
    public static void checkIds(Collection<RegisteredHandler> handlers, ProgressPersistence storage) {
        handlers.stream()
                .filter(handler -> !WITHOUT_RECORDS.contains(handler.kind()))
                .forEach(handler -> checkId(handler, storage));
    }

    /**
     * Refuses the same of one handler, which may be a sub-handler.
     *
     * @throws HandlerDeclarationException with the handler, what is wrong with its id, and the way out
     */
    public static void checkId(RegisteredHandler handler, ProgressPersistence storage) {
        storage.problem(handler.id()).ifPresent(problem -> {
            throw new HandlerDeclarationException(handler.kind().annotation() + " handler '" + handler.id()
                    + "': its progress cannot be stored under this id, as " + problem
                    + ". Give the handler another id, or keep the progress in the status"
                    + " (settings.persistence().progressStorage(ProgressStorage.status())).");
        });
    }

    private static void refuse(RegisteredHandler handler, @Nullable String problem) {
        if (problem != null) {
            throw new HandlerDeclarationException(
                    handler.kind().annotation() + " handler '" + handler.id() + "': " + problem);
        }
    }

    private static @Nullable String problem(RegisteredHandler handler) {
        HandlerDeclaration declaration = handler.declaration();
        String problem = problemOfFilters(declaration);
        if (problem == null) {
            problem = RetryDeclarationRules.problem(handler.options());
        }
        if (problem == null) {
            problem = DaemonDeclarationRules.problem(handler.options());
        }
        if (problem == null) {
            problem = AdmissionDeclarationRules.problem(handler.options());
        }
        return problem == null ? problemOfChildren(declaration) : problem;
    }

    private static @Nullable String problemOfChildren(HandlerDeclaration declaration) {
        if (declaration.kind() == HandlerKind.RECONCILE
                && declaration.children().isEmpty()) {
            return "the kinds of the children are not named; name all that it may return, as in"
                    + " children = {\"configmaps\", \"deployments.v1.apps\"}";
        }
        String label = declaration.options().parentLabel();
        if (label != null && !LabelSelectorParser.isKey(label)) {
            return "the parentLabel is '" + label + "', and no label can have that key; write for example"
                    + " \"example.com/parent\", without a value";
        }
        if (label != null && declaration.options().parentBy() != null) {
            return "the parent is found by a label and by a function; give either parentLabel, or the function";
        }
        return null;
    }

    private static @Nullable String problemOfFilters(HandlerDeclaration declaration) {
        DeclaredOptions options = declaration.options();
        boolean changing = declaration.kind() == HandlerKind.UPDATE || declaration.kind() == HandlerKind.FIELD;
        boolean oldOrNew = options.oldValue() != null || options.newValue() != null;
        if (declaration.id() != null && declaration.id().isBlank()) {
            return "the id is blank; give it a name, under which its progress is stored";
        }
        if (options.field().stream().anyMatch(String::isEmpty)) {
            return "the field has an empty key: " + options.field() + "; write for example \"spec.size\"";
        }
        if (options.field().stream().anyMatch(key -> !key.equals(key.strip()))) {
            return "the field has blanks around a key: '" + String.join(".", options.field()) + "'; leave them out";
        }
        if (options.field().isEmpty() && (options.value() != null || oldOrNew)) {
            return "a filter of values needs the field whose values are meant; add field = \"spec.size\"";
        }
        if (options.value() != null && oldOrNew) {
            return "a filter of the value, old or new, cannot stand beside filters of the old and the new value; use either";
        }
        if (oldOrNew && !changing) {
            return "filters of the old or the new value are for update and field handlers; use fieldValue here";
        }
        return null;
    }

    /**
     * What makes no sense in the declaration of an admission handler, or would be refused by the API server. Pure.
     *
     * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/">dynamic
     *     admission control</a>
     */
    static final class AdmissionDeclarationRules {
        private static final int LONGEST_TIMEOUT_SECONDS = 30;
        private static final int MOST_CONDITIONS = 64;

        private AdmissionDeclarationRules() {}

        /** The first mistake, with the right form; null if there is none. */
        static @Nullable String problem(DeclaredOptions declared) {
            int seconds = declared.timeoutSeconds();
            if (seconds < 1 || seconds > LONGEST_TIMEOUT_SECONDS) {
                return "timeoutSeconds must be from 1 to " + LONGEST_TIMEOUT_SECONDS + ": " + seconds;
            }
            if (!declared.operations().isEmpty()
                    && EnumSet.copyOf(declared.operations()).size()
                            < declared.operations().size()) {
                return "an operation is named twice: " + declared.operations();
            }
            if (declared.subresource().contains("/")) {
                return "the subresource is '" + declared.subresource()
                        + "'; name it alone, as in \"status\", and the resource as for any other handler";
            }
            return problemOfConditions(declared.matchConditions());
        }

        private static @Nullable String problemOfConditions(List<String> conditions) {
            if (conditions.stream().anyMatch(String::isBlank)) {
                return "a match condition is blank; write it in CEL, as in \"object.spec.size > 3\"";
            }
            return conditions.size() > MOST_CONDITIONS
                    ? "there are " + conditions.size() + " match conditions; the API server takes " + MOST_CONDITIONS
                    : null;
        }
    }

    /** What makes no sense in the times of daemons and timers. Pure. */
    private static final class DaemonDeclarationRules {
        /** More frequent calls than this would be a busy loop. */
        private static final Duration SHORTEST = Duration.ofMillis(1);

        /** A longer time counts as never. */
        private static final Duration LONGEST = Duration.ofDays(3650);

        private DaemonDeclarationRules() {}

        /** The first mistake, with the right form; null if there is none. */
        static @Nullable String problem(DeclaredOptions declared) {
            if (declared.sharp() && declared.interval() == null) {
                return "sharp changes how the interval is measured, but the interval is missing; add it, as in interval = \"10s\"";
            }
            return outOfRange(declared);
        }

        private static @Nullable String outOfRange(DeclaredOptions declared) {
            Duration delay = declared.initialDelay() instanceof InitialDelay.Fixed(Duration time) ? time : null;
            return Stream.of(
                            notPositive("interval", declared.interval()),
                            notPositive("idle", declared.idle()),
                            notPositive("cancellationPolling", declared.cancellationPolling()),
                            negative("initialDelay", delay),
                            negative("cancellationBackoff", declared.cancellationBackoff()),
                            negative("cancellationTimeout", declared.cancellationTimeout()))
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElse(null);
        }

        private static Optional<String> notPositive(String name, @Nullable Duration time) {
            return time != null && time.compareTo(SHORTEST) < 0
                    ? Optional.of(name + " must be at least " + SHORTEST.toMillis() + " ms: "
                            + DurationText.format(time) + "; write for example \"10s\"")
                    : tooLong(name, time);
        }

        private static Optional<String> negative(String name, @Nullable Duration time) {
            return time != null && time.isNegative()
                    ? Optional.of(
                            name + " must not be negative: " + DurationText.format(time) + "; leave it out for none")
                    : tooLong(name, time);
        }

        private static Optional<String> tooLong(String name, @Nullable Duration time) {
            return time != null && time.compareTo(LONGEST) > 0
                    ? Optional.of(name + " must be at most " + LONGEST.toDays() + " days: " + DurationText.format(time)
                            + "; leave it out for none")
                    : Optional.empty();
        }
    }

    /** Says what makes no sense in a declaration of retries, of handlers and activities alike. Pure. */
    public static final class RetryDeclarationRules {
        private RetryDeclarationRules() {}

        /** The first mistake, with the right form; null if there is none. */
        public static @Nullable String problem(DeclaredOptions declared) {
            Integer retries = declared.retries();
            if (retries != null && retries < 1) {
                return "retries is the number of attempts in all, and must be positive: " + retries
                        + "; leave it out for unlimited attempts";
            }
            Duration timeout = declared.timeout();
            if (timeout != null && !timeout.isPositive()) {
                return "timeout must be positive: " + DurationText.format(timeout)
                        + "; leave it out for unlimited time";
            }
            Duration backoff = declared.backoff();
            if (backoff != null && backoff.isNegative()) {
                return "backoff must not be negative: " + DurationText.format(backoff) + "; zero is to retry at once";
            }
            return null;
        }
    }
}

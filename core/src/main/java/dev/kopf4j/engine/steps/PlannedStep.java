package dev.kopf4j.engine.steps;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Steps;
import dev.kopf4j.TypeRef;
import dev.kopf4j.engine.call.HandlerResult;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.Retryable;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ValueBinding;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.StepMarks.Undoable;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One step of one call of a handler: its options, its call, and how far it has come. Confined to the thread of the
 * handler's call; only {@link #invoke} may run in another one.
 */
final class PlannedStep<T extends @Nullable Object> implements Steps.Step<T>, Retryable {
    /** Enough for an identifier; all annotations of an object together have 256 KiB. */
    private static final int RESULT_BYTES_MAX = 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_]*[A-Za-z0-9])?");
    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final int KEY_SHOWN_MAX = 20;

    private final CallSteps steps;
    private final String name;
    private final @Nullable TypeRef<T> type;
    private String key = "";
    private final DeclaredOptions.Sub limits = new DeclaredOptions.Sub();
    private boolean intended;
    private boolean undoable;
    private Steps.@Nullable Call<Optional<T>> search;
    private Steps.@Nullable Call<? extends @Nullable Object> call;

    private @Nullable ProgressRecord record;
    private @Nullable JsonNode result;
    private boolean made;
    private @Nullable Throwable failure;

    /**
     * A step without options.
     *
     * @param type of its result; null if the result is what JSON makes of it
     */
    PlannedStep(CallSteps steps, String name, @Nullable TypeRef<T> type) {
        if (!NAME.matcher(name).matches()) {
            throw new HandlerDeclarationException("'" + name + "' is no name of a step: it has letters, digits, '-' and"
                    + " '_', with a letter or a digit at both ends; what the step is made for is its key, as in"
                    + " steps.run(\"user\", \"alice@example.com\", ...)");
        }
        this.steps = steps;
        this.name = name;
        this.type = type;
    }

    // What it is to be.

    @Override
    @SuppressWarnings("ConstantValue") // callers need not be checked for nulls
    public Steps.Step<T> key(String any) {
        if (any == null) {
            throw new HandlerDeclarationException(this + ": its key is null");
        }
        key = any;
        return this;
    }

    @Override
    public Steps.Step<T> intent() {
        intended = true;
        return this;
    }

    @Override
    public Steps.Step<T> recover(Steps.Call<Optional<T>> found) {
        intended = true;
        search = found;
        return this;
    }

    @Override
    public Steps.Step<T> undoable() {
        undoable = true;
        return this;
    }

    @Override
    public Steps.Step<T> errors(ErrorsMode mode) {
        var _ = limits.errors(mode);
        return this;
    }

    @Override
    public Steps.Step<T> timeout(Duration time) {
        require(time.isPositive(), "timeout must be above zero, not " + time);
        var _ = limits.timeout(time);
        return this;
    }

    @Override
    public Steps.Step<T> retries(int attempts) {
        require(attempts > 0, "retries must be 1 or more, not " + attempts);
        var _ = limits.retries(attempts);
        return this;
    }

    @Override
    public Steps.Step<T> backoff(Duration time) {
        require(!time.isNegative(), "backoff must not be negative: " + time);
        var _ = limits.backoff(time);
        return this;
    }

    private void require(boolean right, String problem) {
        if (!right) {
            throw new HandlerDeclarationException(this + ": " + problem);
        }
    }

    @Override
    public Steps.Step<T> call(Steps.Call<? extends T> given) {
        call = given;
        return this;
    }

    @Override
    public Steps.Step<T> call(Steps.Action action) {
        call = () -> {
            action.run();
            return null;
        };
        return this;
    }

    @Override
    public T run(Steps.Call<? extends T> given) throws Exception {
        call = given;
        steps.make(this);
        return result();
    }

    @Override
    public void run(Steps.Action action) throws Exception {
        var _ = call(action);
        steps.make(this);
    }

    @Override
    public T result() {
        if (!made) {
            throw new IllegalStateException(this + " was not made: give it to steps.all(...) first");
        }
        return CallSteps.recorded(() -> bound(result));
    }

    // What it is.

    /** Its id, with that of the handler. */
    String id() {
        return declared() + (key.isEmpty() ? "" : "/" + safeKey());
    }

    String name() {
        return name;
    }

    boolean hasKey() {
        return !key.isEmpty();
    }

    /** The id without the key: what is declared. */
    String declared() {
        return steps.owner() + "/" + name;
    }

    /** The id without the key and without sub-handlers between: there are few of them. */
    String kindOfStep() {
        String owner = steps.owner();
        int below = owner.indexOf('/');
        return (below < 0 ? owner : owner.substring(0, below)) + "/" + name;
    }

    private String safeKey() {
        // Further marks of a step end like such a key: StepMarks.Undoable.distinctId.
        if (PLAIN_KEY.matcher(key).matches() && !key.contains("._")) {
            return key;
        }
        String shown = key.substring(0, Math.min(KEY_SHOWN_MAX, key.length())).replaceAll("[^A-Za-z0-9]", "-");
        byte[] hash = CallSteps.sha256(key.getBytes(StandardCharsets.UTF_8));
        return shown.replaceFirst("^-+", "") + "-" + HexFormat.of().formatHex(hash, 0, 8);
    }

    boolean isIntended() {
        return intended;
    }

    boolean isUndoable() {
        return undoable;
    }

    Steps.@Nullable Call<Optional<T>> search() {
        return search;
    }

    /** True if it has limits of its own; otherwise those of the handler count. */
    boolean hasLimits() {
        DeclaredOptions given = options();
        return given.errors() != null || given.timeout() != null || given.retries() != null || given.backoff() != null;
    }

    /** What can be taken back if that is known of it. */
    Undoable mark(long order, ProgressRecord.Step known) {
        return new Undoable(id(), new Undoable.Occurrence(0, steps.runs()), name, key, order, known, false);
    }

    // How far it has come.

    ProgressRecord record() {
        return Objects.requireNonNull(record, "the step has not begun");
    }

    void record(ProgressRecord newer) {
        record = newer;
    }

    /** It is recorded, with that result. */
    void made(@Nullable JsonNode recorded) {
        made = true;
        result = recorded;
    }

    boolean isMade() {
        return made;
    }

    @Nullable Throwable failure() {
        return failure;
    }

    void failed(Throwable why) {
        failure = why;
    }

    // Its call.

    /** Makes the call; in any thread. */
    @Nullable JsonNode invoke() throws Exception {
        if (call == null) {
            throw new IllegalStateException(
                    this + " has no call: steps.all(steps.step(\"" + name + "\").call(() -> ...))");
        }
        return json(call.call());
    }

    /**
     * A result as it is recorded.
     *
     * @throws ResultRefusedException if it cannot be
     */
    @Nullable JsonNode json(@Nullable Object value) {
        try {
            return recordable(value);
        } catch (TaskEndError e) {
            throw e;
        } catch (PermanentException e) {
            throw new ResultRefusedException(this + ": its call was made, but " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            // Of the result's own methods: no other call would return a better one.
            throw new ResultRefusedException(this + ": its call was made, but its result cannot be read: " + e, e);
        }
    }

    /** The call was made, and its result cannot be recorded. */
    static final class ResultRefusedException extends PermanentException {
        @Serial
        private static final long serialVersionUID = 1L;

        private ResultRefusedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private @Nullable JsonNode recordable(@Nullable Object value) {
        JsonNode tree = HandlerResult.json(value, "it has returned", "its result cannot be recorded");
        if (tree == null) {
            return null;
        }
        String text = Json.text(tree);
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > RESULT_BYTES_MAX) {
            throw new PermanentException("it has returned " + bytes + " bytes of JSON, and a record has room for "
                    + RESULT_BYTES_MAX + ": return an identifier, and ask for the rest when it is needed");
        }
        // As it will be read: what differs shows itself at once, and not after a crash.
        JsonNode read = Json.parse(text);
        Object found = bound(read);
        if (type == null && value != null) {
            Class<?> foreign = foreign(value);
            // Lists and maps may come from JSON: what is read back equal is taken, such as a large number as a Long.
            boolean byClass = foreign != null && !(value instanceof List || value instanceof Map);
            if (byClass || !Objects.equals(found, value)) {
                throw new PermanentException(
                        foreign == null
                                ? "what it has returned is not the same when it is read from its record, such as text with"
                                        + " half of a character"
                                : refusal(value, foreign));
            }
        }
        return read;
    }

    /**
     * The class of the first thing in a value that is read from a record as another one; null if there is none. By the
     * class alone: a large Long would be read as one, and a small one as an Integer.
     */
    private static @Nullable Class<?> foreign(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String _, Boolean _, Integer _, Double _ -> null;
            case List<?> list -> foreignIn(list);
            case Map<?, ?> map -> foreignIn(map.values());
            default -> value.getClass();
        };
    }

    private static @Nullable Class<?> foreignIn(Collection<?> values) {
        for (Object each : values) {
            Class<?> found = foreign(each);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private String refusal(Object value, Class<?> foreign) {
        boolean isWithin = foreign != value.getClass();
        boolean isSimple = !isWithin && !(value instanceof Collection || value instanceof Map);
        return "it has returned a " + foreign.getName() + (isWithin ? " in a list or a map" : "")
                + ", which would be read from its record as another type: name its "
                + (isSimple ? "class" : "type") + ", as in steps.step(\"" + name + "\", "
                + (isSimple ? foreign.getSimpleName() + ".class" : "new TypeRef<List<Database>>() {}")
                + ").run(...); only text, an int, a double, a boolean, and lists and maps of these need none";
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // a value of the type is bound; null where the call returned it
    private T bound(@Nullable JsonNode tree) {
        Object value = Json.toJava(tree);
        return (T) (type == null ? value : ValueBinding.bind(value, type.type(), () -> "the result of " + this));
    }

    // As the rules for retries see it.

    @Override
    public DeclaredOptions options() {
        return limits.options();
    }

    @Override
    public ErrorsMode errors() {
        ErrorsMode given = options().errors();
        return given == null ? ErrorsMode.TEMPORARY : given;
    }

    /** As logs call it. */
    @Override
    public String toString() {
        return "Step '" + id() + "'";
    }
}

package dev.kopf4j.engine.call;

import dev.kopf4j.Memo;
import dev.kopf4j.MemoFactory;
import dev.kopf4j.object.ObjectReference;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The memos of one run of an operator: its own, and those that are made of it for the objects. Thread-safe. */
public final class OperatorMemos {
    private final MemoSource<?> source;

    /**
     * Memos as they were asked for.
     *
     * @param given where they come from; null for a new {@link Memo}
     */
    public OperatorMemos(@Nullable MemoSource<?> given) {
        this.source = given == null ? new MemoSource<>(new Memo(), Memo::copy, null) : given;
    }

    /** The class of memos that handlers may ask for. */
    public static Class<?> type(@Nullable MemoSource<?> given) {
        return given == null ? Memo.class : given.operator().getClass();
    }

    /**
     * The operator's own, in the type that a handler asks for.
     *
     * @throws IllegalStateException if it is of another class
     */
    public <M> M ofOperator(Class<M> type) {
        return cast(source.operator(), type);
    }

    /** The one of an object that is watched: a new one, or that of the run before if it was kept. */
    public Object forObject(ObjectReference object, String uid) {
        KeptMemos kept = source.kept();
        return kept == null ? forObject() : kept.of(object, uid, this::forObject);
    }

    /** The object does not exist any more. */
    public void forget(ObjectReference object, String uid) {
        KeptMemos kept = source.kept();
        if (kept != null) {
            kept.forget(object, uid);
        }
    }

    /** A new one for an object. */
    public Object forObject() {
        Object made = source.forObject();
        Class<?> expected = source.operator().getClass();
        if (!expected.isInstance(made)) {
            String found = made == null ? "null" : "a " + made.getClass().getName();
            throw new IllegalStateException(
                    "the memo factory has made " + found + " out of the operator's memo; it must make a "
                            + expected.getName() + ", as in builder.memo(mine, Mine::copy)");
        }
        return made;
    }

    /** The memo in the type that a handler asks for. */
    static <M> M cast(Object memo, Class<M> type) {
        if (type.isInstance(memo)) {
            return type.cast(memo);
        }
        throw new IllegalStateException("the memos of this operator are of the class "
                + memo.getClass().getName() + ", as given to OperatorBuilder.memo, not " + type.getName()
                + "; ask for that class");
    }

    /**
     * Where the memos of an operator come from. Immutable, as far as the memo is.
     *
     * @param operator the operator's own memo
     * @param factory makes the objects' memos out of it
     * @param kept has the objects' memos from one run to the next; null if each run begins with new ones
     * @param <M> the class of the memos
     */
    public record MemoSource<M>(
            M operator, MemoFactory<M> factory, @Nullable KeptMemos kept) {
        /** The memo of one more object. */
        public M forObject() {
            return factory.forObject(operator);
        }
    }

    /** The memos of objects, kept for the next run of an operator in this process. Thread-safe. */
    public static final class KeptMemos {
        private final Map<Key, Object> memos = new ConcurrentHashMap<>();

        /** The streams of two versions of a resource have memos of their own. */
        private record Key(@Nullable String apiVersion, String uid) {}

        Object of(ObjectReference object, String uid, Supplier<Object> make) {
            return memos.computeIfAbsent(new Key(object.apiVersion(), uid), key -> make.get());
        }

        void forget(ObjectReference object, String uid) {
            memos.remove(new Key(object.apiVersion(), uid));
        }

        /** All of them. */
        public Collection<Object> all() {
            return Collections.unmodifiableCollection(memos.values());
        }
    }
}

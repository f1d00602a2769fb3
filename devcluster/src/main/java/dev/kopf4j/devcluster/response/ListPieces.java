package dev.kopf4j.devcluster.response;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** The JSON of a list in pieces: its head, one piece for each object, its tail. Used by one thread. */
final class ListPieces<T> implements Iterator<byte[]> {
    private final Iterator<T> objects;
    private final Function<T, byte[]> element;
    private final byte[] head;
    private final String tail;
    private int stage;
    private boolean first = true;

    /**
     * Begins a list.
     *
     * @param head the JSON up to the array of elements, which is not in it
     * @param tail the end of the JSON; it begins with {@code null} for no array
     */
    ListPieces(byte[] head, Iterator<T> objects, String tail, Function<T, byte[]> element) {
        this.head = head;
        this.objects = objects;
        this.tail = tail;
        this.element = element;
    }

    @Override
    public boolean hasNext() {
        return stage < 2;
    }

    @Override
    public byte[] next() {
        if (stage == 0) {
            stage = 1;
            return tail.startsWith("null") ? head : joined(head, "[");
        }
        if (stage > 1) {
            throw new NoSuchElementException("the list has ended");
        }
        if (objects.hasNext()) {
            byte[] piece = element.apply(objects.next());
            byte[] shown = first ? piece : joined(",", piece);
            first = false;
            return shown;
        }
        stage = 2;
        return tail.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[] left, String right) {
        byte[] whole = Arrays.copyOf(left, left.length + right.length());
        System.arraycopy(right.getBytes(StandardCharsets.UTF_8), 0, whole, left.length, right.length());
        return whole;
    }

    private static byte[] joined(String left, byte[] right) {
        byte[] whole = Arrays.copyOf(left.getBytes(StandardCharsets.UTF_8), left.length() + right.length);
        System.arraycopy(right, 0, whole, left.length(), right.length);
        return whole;
    }
}

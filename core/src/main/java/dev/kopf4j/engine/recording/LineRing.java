package dev.kopf4j.engine.recording;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The newest lines, as many as fit into a number of bytes, numbered from 1. The bytes are taken in pieces when they are
 * needed, so that an idle operator has few of them; the oldest piece gives way as a whole. Guarded by its owner.
 */
public final class LineRing {
    private final Deque<Piece> pieces = new ArrayDeque<>();
    private final int pieceSize;
    private int piecesMax;
    private long next = 1;

    /**
     * An empty ring.
     *
     * @param bytes how many bytes it may have; 0 to keep nothing
     * @param pieceSize how many bytes a piece has, and a line at the most
     */
    LineRing(long bytes, int pieceSize) {
        this.pieceSize = pieceSize;
        resize(bytes);
    }

    /** From now on it may have that many bytes; the newest of what is there stays. */
    void resize(long bytes) {
        piecesMax = (int) (bytes / pieceSize);
        while (pieces.size() > piecesMax) {
            pieces.removeFirst();
        }
    }

    /** True if it keeps anything at all. */
    boolean isOn() {
        return piecesMax > 0;
    }

    /** The number of the line that comes next. */
    long next() {
        return next;
    }

    /** Keeps a line, which ends with a line feed; false if it is larger than a piece. */
    boolean add(byte[] bytes, int length) {
        if (length > pieceSize) {
            return false;
        }
        Piece last = pieces.peekLast();
        if (last == null || !last.hasRoom(length)) {
            last = pieces.size() == piecesMax ? pieces.removeFirst() : new Piece(pieceSize);
            last.clear(next);
            pieces.addLast(last);
        }
        last.add(bytes, length);
        next++;
        return true;
    }

    /**
     * Lines from a number on, whole ones, of one piece at the most.
     *
     * @param from the number of the first line
     */
    Lines read(long from) {
        for (Piece piece : pieces) {
            if (piece.end() > from) {
                return piece.read(Math.max(from, piece.first));
            }
        }
        return new Lines(Math.max(from, next), Math.max(from, next), new byte[0]);
    }

    /**
     * Lines that follow each other.
     *
     * @param first the number of the first one
     * @param end the number of the one that would follow
     * @param bytes all of them
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on, and kept by nobody
    public record Lines(long first, long end, byte[] bytes) {}

    /** Some bytes with whole lines. */
    private static final class Piece {
        private final byte[] bytes;
        private int used;
        private long first;
        private int lines;

        Piece(int size) {
            this.bytes = new byte[size];
        }

        void clear(long firstLine) {
            used = 0;
            lines = 0;
            first = firstLine;
        }

        boolean hasRoom(int length) {
            return bytes.length - used >= length;
        }

        void add(byte[] line, int length) {
            System.arraycopy(line, 0, bytes, used, length);
            used += length;
            lines++;
        }

        long end() {
            return first + lines;
        }

        Lines read(long from) {
            int start = 0;
            for (long line = first; line < from; line++) {
                while (bytes[start++] != '\n') {
                    // the line before ends here
                }
            }
            return new Lines(from, end(), Arrays.copyOfRange(bytes, start, used));
        }
    }
}

package dev.kopf4j.client.api;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a page of a list into its fields and objects by brackets and quotes alone, so that whatever is wrong inside of
 * an object is no obstacle to the others. Holds one of them at a time. Confined.
 */
final class PageFraming {
    private final InputStream body;
    private int next;

    /** Receives the parts. The texts may be no JSON. */
    interface Sink {
        /** A field of the list itself. */
        void field(byte[] key, byte[] value) throws IOException;

        /** One of the items. */
        void item(byte[] item) throws IOException, InterruptedException;
    }

    /** Makes the framing of a body that was not read yet; it should be buffered. */
    PageFraming(InputStream body) {
        this.body = body;
    }

    /** Reads to the end of the list; throws {@link IOException} if the body is no list, or ends before its end. */
    void read(Sink sink) throws IOException, InterruptedException {
        step();
        skipBlanks();
        expect('{');
        skipBlanks();
        while (next != '}') {
            byte[] key = value();
            skipBlanks();
            expect(':');
            skipBlanks();
            if (isItems(key) && next == '[') {
                readItems(sink);
            } else {
                sink.field(key, value());
            }
            skipSeparator();
        }
    }

    private static boolean isItems(byte[] key) {
        return key.length == 7 && key[1] == 'i' && key[2] == 't' && key[3] == 'e' && key[4] == 'm' && key[5] == 's';
    }

    private void readItems(Sink sink) throws IOException, InterruptedException {
        step();
        skipBlanks();
        while (next != ']') {
            sink.item(value());
            skipSeparator();
        }
        step();
    }

    /** Takes a value up to the separator or the bracket behind it. */
    private byte[] value() throws IOException {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        int level = 0;
        boolean ended = false;
        while (!ended) {
            switch (next) {
                case '"' -> takeText(value);
                case '{', '[' -> {
                    level++;
                    take(value);
                }
                case '}', ']' -> {
                    level--;
                    if (level >= 0) {
                        take(value);
                    }
                }
                default -> take(value);
            }
            ended = level < 0 || (level == 0 && isSeparator());
        }
        return value.toByteArray();
    }

    private boolean isSeparator() {
        return next == ',' || next == ':' || next == '}' || next == ']';
    }

    private void takeText(ByteArrayOutputStream value) throws IOException {
        take(value);
        while (next != '"') {
            if (next == '\\') {
                take(value);
            }
            take(value);
        }
        take(value);
    }

    private void take(ByteArrayOutputStream value) throws IOException {
        value.write(next);
        step();
    }

    private void skipSeparator() throws IOException {
        skipBlanks();
        if (next == ',') {
            step();
            skipBlanks();
        }
    }

    private void skipBlanks() throws IOException {
        while (next == ' ' || next == '\n' || next == '\r' || next == '\t') {
            step();
        }
    }

    private void expect(char wanted) throws IOException {
        if (next != wanted) {
            throw new IOException("the answer is not a list of objects");
        }
        step();
    }

    private void step() throws IOException {
        next = body.read();
        if (next < 0) {
            throw new EOFException("the list has ended before its end");
        }
    }
}

package dev.kopf4j.text;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;

/** A text in the making that refuses to become too long. Confined. */
public final class BoundedText extends Writer {
    private final StringWriter text = new StringWriter();
    private final int charactersMax;

    /**
     * An empty text.
     *
     * @param charactersMax how many characters it may have; a write beyond that fails
     */
    public BoundedText(int charactersMax) {
        this.charactersMax = charactersMax;
    }

    @Override
    public void write(char[] characters, int from, int count) throws IOException {
        if (text.getBuffer().length() + count > charactersMax) {
            throw new IOException("it takes more than " + charactersMax + " characters");
        }
        text.write(characters, from, count);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    /** What was written. */
    @Override
    public String toString() {
        return text.toString();
    }
}

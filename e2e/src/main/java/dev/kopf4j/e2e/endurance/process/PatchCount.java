package dev.kopf4j.e2e.endurance.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What PATCHes of operators have done that succeeded.
 *
 * @param known whether they could be counted
 * @param all how many there were
 * @param unchanging how many changed nothing
 */
public record PatchCount(boolean known, long all, long unchanging) {
    static final PatchCount UNKNOWN = new PatchCount(false, 0, 0);

    /** Counts the lines of {@link PatchNotes}. */
    static PatchCount read(Path notes) {
        try {
            List<String> lines = Files.exists(notes) ? Files.readAllLines(notes) : List.of();
            long unchanging =
                    lines.stream().filter(line -> line.startsWith("same\t")).count();
            return new PatchCount(true, lines.size(), unchanging);
        } catch (IOException e) {
            throw new UncheckedIOException("the notes of PATCHes cannot be read", e);
        }
    }

    @Override
    public String toString() {
        return known ? unchanging + " of " + all : "not counted on this cluster";
    }
}

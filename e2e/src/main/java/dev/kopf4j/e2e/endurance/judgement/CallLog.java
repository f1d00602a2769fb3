package dev.kopf4j.e2e.endurance.judgement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads what handlers have written down. A line that a kill has torn is ignored. */
final class CallLog {
    private static final int FIELDS_OF_BEGIN = 8;
    private static final int FIELDS_OF_END = 4;

    private CallLog() {}

    /** All calls, in the order in which they began. */
    static List<Call> read(Path file) {
        Map<String, Call> calls = new LinkedHashMap<>();
        try {
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                String[] fields = line.split("\t", -1);
                if (fields.length == FIELDS_OF_BEGIN) {
                    calls.put(fields[1], begin(fields));
                } else if (fields.length == FIELDS_OF_END) {
                    Call.Outcome outcome = Call.Outcome.valueOf(fields[2].toUpperCase(Locale.ROOT));
                    calls.computeIfPresent(
                            fields[1], (id, call) -> call.ended(new Call.End(outcome, Long.parseLong(fields[3]))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the calls cannot be read", e);
        }
        return List.copyOf(calls.values());
    }

    private static Call begin(String... fields) {
        return new Call(
                fields[1].substring(0, fields[1].indexOf('-')),
                fields[2],
                fields[3],
                Long.parseLong(fields[5]),
                Long.parseLong(fields[6]),
                Long.parseLong(fields[7]),
                Call.End.NONE);
    }
}

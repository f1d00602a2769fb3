package dev.kopf4j.devcluster.json;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Finds keys that a YAML text has twice, which a tree does not show. Stateless. */
public final class YamlDuplicateKeys {
    private YamlDuplicateKeys() {}

    /** A key that its mapping already has, and the line of its second occurrence. */
    public record Key(String name, int line) {}

    /** The keys that mappings of the first document have more than once. */
    public static List<Key> find(String text) {
        List<Key> found = new ArrayList<>();
        Deque<Level> levels = new ArrayDeque<>();
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(YamlReader.MAX_LENGTH).build();
        Parser events = new ParserImpl(settings, new StreamReader(settings, text));
        while (events.hasNext()) {
            Event event = events.next();
            switch (event.getEventId()) {
                case DocumentEnd -> {
                    return found;
                }
                case MappingStart, SequenceStart -> {
                    key(levels);
                    levels.push(new Level(event.getEventId() == Event.ID.MappingStart));
                }
                case MappingEnd, SequenceEnd -> levels.pop();
                case Scalar -> {
                    if (key(levels)) {
                        scalar(levels.getFirst(), (ScalarEvent) event, found);
                    }
                }
                case Alias -> key(levels);
                default -> {}
            }
        }
        return found;
    }

    /** A mapping or sequence that is being read. */
    private static final class Level {
        private final Set<String> names = new HashSet<>();
        private final boolean mapping;
        private boolean keyIsNext = true;

        Level(boolean mapping) {
            this.mapping = mapping;
        }
    }

    /** Whether the next node is a key of a mapping; the one after it then is not. */
    private static boolean key(Deque<Level> levels) {
        Level level = levels.peek();
        if (level == null || !level.mapping) {
            return false;
        }
        boolean key = level.keyIsNext;
        level.keyIsNext = !key;
        return key;
    }

    private static void scalar(Level level, ScalarEvent key, List<Key> found) {
        if (!level.names.add(key.getValue())) {
            int line = key.getStartMark().map(Mark::getLine).orElse(0) + 1;
            found.add(new Key(key.getValue(), line));
        }
    }
}

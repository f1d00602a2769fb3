package dev.kopf4j.benchmarks.soak;

import dev.kopf4j.benchmarks.process.ThreadCount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a process holds at a moment at which it has nothing to do: figures by their names, in an order. */
record SoakSample(Map<String, Double> figures) {
    static final String HEAP = "reachable heap, MB";
    static final String OBJECTS = "objects of the framework";
    static final String SCHEDULED = "entries of schedules";
    static final String PLATFORM = "platform threads";
    static final String VIRTUAL = "virtual threads";
    static final String SOCKETS = "sockets";
    static final String RESIDENT = "RSS, MB";

    /** Of this process. */
    static SoakSample here() {
        LiveObjects live = LiveObjects.here();
        ThreadCount threads = ThreadCount.here();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(HEAP, live.bytes() / 1e6);
        figures.put(OBJECTS, (double) live.ours());
        figures.put(SCHEDULED, (double) live.scheduled());
        figures.put(PLATFORM, (double) threads.platform());
        figures.put(VIRTUAL, (double) threads.virtual());
        return new SoakSample(figures);
    }

    /** The same with one more figure. */
    SoakSample with(String name, double figure) {
        Map<String, Double> more = new LinkedHashMap<>(figures);
        more.put(name, figure);
        return new SoakSample(more);
    }

    double of(String name) {
        Double figure = figures.get(name);
        if (figure == null) {
            throw new IllegalStateException("not in the sample: " + name);
        }
        return figure;
    }

    /** In one line, for {@link #parse}. */
    String toLine() {
        StringBuilder line = new StringBuilder();
        figures.forEach(
                (name, figure) -> line.append(name).append('=').append(figure).append(';'));
        return line.toString();
    }

    static SoakSample parse(String line) {
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String part : List.of(line.split(";", -1))) {
            int sign = part.indexOf('=');
            if (sign > 0) {
                figures.put(part.substring(0, sign), Double.valueOf(part.substring(sign + 1)));
            }
        }
        return new SoakSample(figures);
    }
}

package dev.kopf4j.engine.console;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.recording.Recorder;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console of one run of an operator. Without {@code console.port} there is none, and hearing of a step costs the
 * look at a flag. Thread-safe.
 */
public final class OperatorConsole implements OperatorTrace, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.console");

    private static final Map<String, String> PAGE = Map.of(
            "/", "console.html",
            "/console.js", "console.js");

    private final Platform platform;
    private final OperatorSettings settings;
    private final RecentFigures figures;
    private final NotedObjects noted;
    private final OperatorView view;
    private final RecordedEvents events;
    private volatile boolean on;
    private @Nullable ConsoleServer server;

    /**
     * A console that does not listen yet.
     *
     * @param scope the patterns of the namespaces that the operator watches; none for the whole cluster
     */
    public OperatorConsole(
            Platform platform,
            OperatorSettings settings,
            List<String> scope,
            HandlerRegistry registry,
            IndexSet indices,
            Recorder recorder) {
        this.platform = platform;
        this.settings = settings;
        this.figures = new RecentFigures(platform);
        this.noted = new NotedObjects(platform);
        this.view = new OperatorView(platform, scope, settings, registry, indices, figures, noted);
        this.events = new RecordedEvents(platform, recorder);
        this.on = settings.console().port() != null;
    }

    @Override
    public boolean hearsOfChildren() {
        return false;
    }

    @Override
    public void happened(OperatorStep step) {
        if (on) {
            figures.happened(step);
            noted.happened(step);
        }
    }

    /**
     * The settings are final: listens if they say so. An operator whose console cannot listen works without it, and
     * says so in the log: nobody needs it for what the operator is there for.
     */
    public synchronized void start() {
        Integer port = settings.console().port();
        on = port != null;
        if (port == null) {
            return;
        }
        Map<String, ConsoleServer.Answer> answers = new HashMap<>(ConsoleServer.sharedFiles());
        answers.putAll(ConsoleServer.files(name -> OperatorConsole.class.getResourceAsStream(name), PAGE));
        answers.put("/snapshot", query -> ConsoleServer.json(view.snapshot(query)));
        answers.put("/object", view::object);
        answers.put("/events", events::answer);
        try {
            server = ConsoleServer.start(platform, port, answers);
            log.info("The console is at {}", server.address());
        } catch (IOException e) {
            on = false;
            log.warn(
                    "There is no console, as 127.0.0.1:{} cannot be listened at: {}. Choose another port by console.port,"
                            + " or 0 for any.",
                    port,
                    e.getMessage());
        }
    }

    /** From now on, the console shows what that one tells. */
    public void watch(RunningEngine engine) {
        view.watch(engine);
    }

    @Override
    public synchronized void close() {
        if (server != null) {
            server.close();
        }
    }
}

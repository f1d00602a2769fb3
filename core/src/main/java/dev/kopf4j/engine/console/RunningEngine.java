package dev.kopf4j.engine.console;

import dev.kopf4j.OperatorState;
import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.children.LiveChild;
import dev.kopf4j.engine.orchestration.Orchestrator.StreamReport;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What a running operator tells when it is asked; it does nothing for that before. Read-only, thread-safe. */
public interface RunningEngine {
    /** An operator that has not begun to watch. */
    RunningEngine STARTING = new RunningEngine() {
        @Override
        public OperatorState state() {
            return OperatorState.STARTING;
        }

        @Override
        public List<StreamReport> reports() {
            return List.of();
        }

        @Override
        public Optional<ObjectNode> recall(String uid) {
            return Optional.empty();
        }

        @Override
        public List<LiveChild> children(String uid) {
            return List.of();
        }

        @Override
        public Optional<ObjectNode> read(Resource resource, @Nullable String namespace, String name) {
            return Optional.empty();
        }
    };

    /** How it is doing. */
    OperatorState state();

    /** How its streams and their objects are doing. */
    List<StreamReport> reports();

    /** What only memory knows of the object with that uid; empty if it is not watched. */
    Optional<ObjectNode> recall(String uid);

    /** The children that are known of the object with that uid. */
    List<LiveChild> children(String uid);

    /**
     * An object as the server has it, by a request that needs no further right and waits for seconds only; empty if it
     * is gone.
     *
     * @throws ClientException if the server cannot be asked, or does not answer
     */
    Optional<ObjectNode> read(Resource resource, @Nullable String namespace, String name) throws InterruptedException;
}

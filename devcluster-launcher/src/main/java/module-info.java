import org.jspecify.annotations.NullMarked;

/** Starts the dev cluster as a process of its own, from Java 17 on, without dependencies. */
@NullMarked
module dev.kopf4j.devcluster.launcher {
    requires static org.jspecify;
    requires static transitive org.junit.jupiter.api; // for the extension only

    exports dev.kopf4j.devcluster.launcher;
}

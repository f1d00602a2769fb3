import org.jspecify.annotations.NullMarked;

/** Runs operators in the tests of their authors. */
@NullMarked
module dev.kopf4j.testing {
    requires static transitive org.jspecify;
    requires transitive dev.kopf4j.core;
    requires transitive dev.kopf4j.devcluster;
    requires org.snakeyaml.engine;

    exports dev.kopf4j.testing;
}

import org.jspecify.annotations.NullMarked;

/** What the framework and the dev cluster have in common: JSON, certificates, texts. No API for others. */
@NullMarked
module dev.kopf4j.base {
    requires static transitive org.jspecify;
    requires transitive tools.jackson.databind;

    exports dev.kopf4j.certificate to
            dev.kopf4j.core,
            dev.kopf4j.devcluster;
    exports dev.kopf4j.json to
            dev.kopf4j.cli,
            dev.kopf4j.core,
            dev.kopf4j.devcluster,
            dev.kopf4j.types;
    exports dev.kopf4j.text to
            dev.kopf4j.cli,
            dev.kopf4j.core,
            dev.kopf4j.devcluster;
}

package dev.kopf4j.cli.library;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import javax.tools.JavaFileManager;

/**
 * The libraries of this program that operators share with it: the public API, and those whose classes are in its
 * signatures or on the fields of users' types. Everything else that the program uses is its own business, so that
 * operators bring the versions that they like. Each is a place where the compiler looks for its packages only.
 */
enum SharedLibrary implements JavaFileManager.Location {
    API("kopf4j-core-", Set.of("dev.kopf4j", "dev.kopf4j.crd", "dev.kopf4j.spi", "dev.kopf4j.webhook"), false),
    TYPES("kopf4j-types-", Set.of("dev.kopf4j.types"), false),
    FABRIC8("kubernetes-", Set.of("io.fabric8.kubernetes"), true),
    LOGGING("slf4j-api-", Set.of("org.slf4j"), true),
    FIELD_NAMES("jackson-annotations-", Set.of("com.fasterxml.jackson.annotation"), false),
    NULLNESS("jspecify-", Set.of("org.jspecify.annotations"), false);

    private final String jars;
    private final Set<String> packages;
    private final boolean withSubpackages;

    SharedLibrary(String jars, Set<String> packages, boolean withSubpackages) {
        this.jars = jars;
        this.packages = packages;
        this.withSubpackages = withSubpackages;
    }

    /** Returns the one that has the package; empty if it is not shared. */
    static Optional<SharedLibrary> of(String packageName) {
        return Arrays.stream(values()).filter(each -> each.has(packageName)).findFirst();
    }

    private boolean has(String packageName) {
        return packages.contains(packageName)
                || withSubpackages && packages.stream().anyMatch(each -> packageName.startsWith(each + "."));
    }

    /** True for the name of one of its jars in the distribution. */
    boolean isIn(String jar) {
        return jar.startsWith(jars);
    }

    Set<String> packages() {
        return packages;
    }

    @Override
    public String getName() {
        return "kopf4j's " + name();
    }

    @Override
    public boolean isOutputLocation() {
        return false;
    }
}

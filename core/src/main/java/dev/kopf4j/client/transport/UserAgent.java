package dev.kopf4j.client.transport;

import java.util.Optional;

/** The name and version by which the framework presents itself to servers. */
public final class UserAgent {
    /**
     * The value of the {@code User-Agent} header. The API server takes its first part as the field manager of changes.
     */
    public static final String USER_AGENT = "kopf4j/" + version();

    private UserAgent() {}

    /** Read from the module descriptor, or on a class path from the jar's manifest; unknown for class folders. */
    private static String version() {
        Class<?> self = UserAgent.class;
        return Optional.ofNullable(self.getModule().getDescriptor())
                .flatMap(descriptor -> descriptor.rawVersion())
                .or(() -> Optional.ofNullable(self.getPackage().getImplementationVersion()))
                .orElse("unknown");
    }
}

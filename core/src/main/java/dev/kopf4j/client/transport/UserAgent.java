package dev.kopf4j.client.transport;

import java.util.Optional;

/** Which version of the framework this is, as written into its jar. */
public final class UserAgent {
    /** How the framework presents itself to servers; the first part names the field manager of what it changes. */
    public static final String USER_AGENT = "kopf4j/" + version();

    private UserAgent() {}

    /** From the module where the jar is one, from the manifest on a class path, else (class folders) unknown. */
    private static String version() {
        Class<?> self = UserAgent.class;
        return Optional.ofNullable(self.getModule().getDescriptor())
                .flatMap(descriptor -> descriptor.rawVersion())
                .or(() -> Optional.ofNullable(self.getPackage().getImplementationVersion()))
                .orElse("unknown");
    }
}

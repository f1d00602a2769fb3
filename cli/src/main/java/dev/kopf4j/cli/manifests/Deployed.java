package dev.kopf4j.cli.manifests;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an operator is run in a cluster. Immutable.
 *
 * @param image the image
 * @param arguments those of the program in it
 * @param environment variables with their values, in their order
 * @param replicas how many pods
 * @param webhooks true if the API server asks it for anything
 * @param recordFolder where its record is written, by a volume; null for none
 * @param service the Service by which it is asked; null if there is none of its own
 */
public record Deployed(
        String image,
        List<String> arguments,
        Map<String, String> environment,
        Replicas replicas,
        boolean webhooks,
        @Nullable String recordFolder,
        @Nullable WebhookService service) {
    /** Copies the list. */
    public Deployed {
        arguments = List.copyOf(arguments);
    }

    Deployed withImage(String other) {
        return new Deployed(other, arguments, environment, replicas, webhooks, recordFolder, service);
    }

    /**
     * The pods of an operator. Immutable.
     *
     * @param count how many
     * @param several true if several may run at a time: they choose a leader, or share the objects
     */
    public record Replicas(int count, boolean several) {}

    /**
     * A Service in the operator's namespace that leads to the webhook server in its pods. Immutable.
     *
     * @param name what somebody has called it; null to call it after the operator
     * @param port its port
     * @param listening the port in the pods
     * @param authority the Secret with the authority of several pods' certificates: of those that each makes for
     *     itself, one alone would be trusted. Empty to call it after the operator; null for none
     */
    public record WebhookService(
            @Nullable String name,
            int port,
            int listening,
            @Nullable String authority) {
        String name(Names names) {
            return name == null ? names.webhooks() : name;
        }

        @Nullable String authority(Names names) {
            return authority != null && authority.isEmpty() ? names.webhookAuthority() : authority;
        }

        /** The setting {@code admission.server} for it. */
        String setting(String namespace, Names names) {
            return "service:" + namespace + "/" + name(names) + ":" + port + ":" + listening
                    + (authority == null ? "" : ",authority=" + authority(names));
        }
    }
}

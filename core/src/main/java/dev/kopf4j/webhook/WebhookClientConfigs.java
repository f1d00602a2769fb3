package dev.kopf4j.webhook;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The forms of {@link WebhookClientConfig}. */
final class WebhookClientConfigs {
    private WebhookClientConfigs() {}

    private static String joined(String path, String more) {
        String front = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return front + "/" + more;
    }

    record ByUrl(String url, @Nullable String pem, @Nullable String injectedFrom) implements WebhookClientConfig.Url {
        @Override
        public WebhookClientConfig withCaBundle(@Nullable String other) {
            return new ByUrl(url, other, injectedFrom);
        }

        @Override
        public WebhookClientConfig withPath(String more) {
            return new ByUrl(joined(url, more), pem, injectedFrom);
        }

        @Override
        public WebhookClientConfig withCaInjectedFrom(@Nullable String other) {
            return new ByUrl(url, pem, other);
        }

        @Override
        public Optional<String> caInjectedFrom() {
            return Optional.ofNullable(injectedFrom);
        }

        @Override
        public Optional<String> caBundle() {
            return Optional.ofNullable(pem);
        }
    }

    record ByService(
            String namespace,
            String name,
            int port,
            String path,
            @Nullable String pem,
            @Nullable String injectedFrom) implements WebhookClientConfig.Service {
        private static final int PORT_MAX = 65_535;
        private static final Pattern PATH = Pattern.compile("(/[a-z0-9]([-a-z0-9.]*[a-z0-9])?)*/?");

        /** Checks port and path: the API server would refuse others for ever. */
        ByService {
            if (port < 1 || port > PORT_MAX) {
                throw new IllegalArgumentException(
                        "the port of the Service " + namespace + "/" + name + " is 1 to " + PORT_MAX + ", not " + port);
            }
            if (!PATH.matcher(path).matches()) {
                throw new IllegalArgumentException("the path '" + path + "' of the Service " + namespace + "/" + name
                        + " must consist of lower-case letters, digits, dots and dashes: the API server takes nothing"
                        + " else in the address of a webhook");
            }
        }

        @Override
        public WebhookClientConfig withCaBundle(@Nullable String other) {
            return new ByService(namespace, name, port, path, other, injectedFrom);
        }

        @Override
        public WebhookClientConfig withPath(String more) {
            return new ByService(namespace, name, port, joined(path, more), pem, injectedFrom);
        }

        @Override
        public WebhookClientConfig withCaInjectedFrom(@Nullable String other) {
            return new ByService(namespace, name, port, path, pem, other);
        }

        @Override
        public Optional<String> caInjectedFrom() {
            return Optional.ofNullable(injectedFrom);
        }

        @Override
        public Optional<String> caBundle() {
            return Optional.ofNullable(pem);
        }
    }
}

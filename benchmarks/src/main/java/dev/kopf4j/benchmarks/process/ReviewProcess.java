package dev.kopf4j.benchmarks.process;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/** An operator with one validating handler, which looks at one field. */
public final class ReviewProcess {
    private ReviewProcess() {}

    /** Argument: the server. The first line is the address of the webhook. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        AtomicReference<String> url = new AtomicReference<>("");
        WebhookServer local = WebhookServer.local().address("127.0.0.1");
        Operator operator = Operator.builder()
                .clusterwide()
                .connection(ConnectionInfo.builder(arguments[0]).build())
                .settings(settings -> settings.admission()
                        .server(context -> context.serve(local, config -> {
                            context.publish(config);
                            url.set(((WebhookClientConfig.Url) config).url());
                        })))
                .onValidate("configmaps", "check", context -> {
                    if (context.body().getString("data.size", "").equals("large")) {
                        throw new AdmissionException("Too large.", 422);
                    }
                    return null;
                })
                .build();
        try (OperatorHandle handle = operator.start()) {
            ChildMain.awaitReady(handle);
            ChildMain.serve(url.get() + "/check", question -> "unknown: " + question);
        }
    }
}

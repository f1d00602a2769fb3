import dev.kopf4j.*;
import dev.kopf4j.webhook.WebhookServer;
import org.slf4j.Logger;

/** Converts widgets: v1 has a size as text, v2 has its sides as numbers, and a unit. */
class Example {
    record V1Spec(String size) {}

    record V2Spec(Integer width, Integer height, String unit) {}

    record V1Status(String area) {}

    record V2Status(Integer squares) {}

    @OnStartup
    void configure(OperatorSettings settings) {
        if (settings.admission().server() == null) { // in a cluster, `kopf4j manifests` says where it is reached
            settings.admission().server(WebhookServer.auto());
        }
        settings.admission().managedConversions(true);
    }

    @OnConvert(value = "widgets.kopf.dev", from = "v1", to = "v2")
    V2Spec up(V1Spec spec) {
        if (!spec.size().matches("\\d+x\\d+ ?[a-z]*")) {
            throw new PermanentException("spec.size: '" + spec.size() + "' is not of the form 3x4 or 3x4 cm");
        }
        String[] parts = spec.size().split("[x ]");
        String unit = parts.length > 2 ? parts[2] : null;
        return new V2Spec(Integer.valueOf(parts[0]), Integer.valueOf(parts[1]), unit);
    }

    @OnConvert(value = "widgets.kopf.dev", from = "v2", to = "v1")
    V1Spec down(V2Spec spec) {
        return new V1Spec(spec.width() + "x" + spec.height() + (spec.unit() == null ? "" : " " + spec.unit()));
    }

    @OnConvert(value = "widgets.kopf.dev", from = "v1", to = "v2")
    V2Status up(V1Status status) {
        return new V2Status(status.area() == null ? null : Integer.valueOf(status.area()));
    }

    @OnConvert(value = "widgets.kopf.dev", from = "v2", to = "v1")
    V1Status down(V2Status status) {
        return new V1Status(status.squares() == null ? null : String.valueOf(status.squares()));
    }

    @OnCreate("widgets.v2.kopf.dev")
    @OnUpdate(value = "widgets.v2.kopf.dev", field = "spec")
    void measure(V2Spec spec, Patch patch, Logger logger) {
        patch.status().set("squares", spec.width() * spec.height());
        logger.info("{} squares", spec.width() * spec.height());
    }
}

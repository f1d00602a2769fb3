import dev.kopf4j.*;
import dev.kopf4j.crd.*;
import java.util.List;
import org.jspecify.annotations.Nullable;

class Websites {
    /** A page and where it is shown. */
    @CustomResource(
            group = "example.com",
            version = "v1",
            shortNames = "web",
            columns = @PrinterColumn(name = "Age", path = ".metadata.creationTimestamp", type = "date"))
    record Website(WebsiteSpec spec, @Nullable WebsiteStatus status) {}

    /**
     * What is wanted.
     *
     * @param html the page
     * @param replicas how many servers show it
     */
    record WebsiteSpec(
            @Schema(minLength = 1) String html,
            @Schema(defaultValue = "1", minimum = 0, maximum = 5) @PrinterColumn int replicas,
            @Nullable Theme theme) {}

    enum Theme {
        light,
        dark
    }

    record WebsiteStatus(
            @PrinterColumn String url,
            @Schema(listMapKeys = "type") @Nullable List<Condition> conditions) {}

    @OnCreate
    @OnUpdate
    void publish(Website website, CustomObject<WebsiteSpec, WebsiteStatus> object, Conditions conditions) {
        object.status(new WebsiteStatus("http://" + object.name() + ".example.com", null));
        boolean shown = website.spec().replicas() > 0;
        conditions.set("Ready", shown, shown ? "Published" : "NoReplicas", website.spec().replicas() + " servers");
    }
}

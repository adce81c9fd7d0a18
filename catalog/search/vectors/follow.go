package vectors

import (
	"cmp"
	"context"
	"slices"
	"time"
)

const (
	maxBatch  = 32              // maximum number of passages embedded in one request
	growAfter = 16              // batches without an error before the batch size grows
	patience  = 8 * time.Second // time limit for a batch
	lookEvery = time.Second     // interval for reading the documents and for retrying a failed embedder
	saveEvery = 10 * time.Second
)

// Start updates the index in the background until Close is called.
func (x *Index) Start() {
	ctx, stop := context.WithCancel(context.Background())
	x.stop, x.done = stop, make(chan struct{})
	go func() {
		defer close(x.done)
		x.follow(ctx)
	}()
}

// Close stops the background update. The vectors computed by then are saved.
func (x *Index) Close() error {
	if x.stop != nil {
		x.stop()
		<-x.done
	}
	return nil
}

func (x *Index) follow(ctx context.Context) {
	failure := ""
	for ctx.Err() == nil {
		err := x.Refresh(ctx)
		x.mu.Lock()
		x.failure = err
		x.mu.Unlock()
		switch {
		case ctx.Err() != nil:
		case err == nil && failure != "":
			x.Log.Info("the " + x.Name + " are embedded again")
			failure = ""
		case err != nil && err.Error() != failure: // logged once
			failure = err.Error()
			x.Log.Error(x.Name+" cannot be embedded: search does not find them by meaning yet", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(lookEvery):
		}
	}
}

// Refresh embeds the new passages of the documents. It is not safe for concurrent use and
// must not be called after [Index.Start].
func (x *Index) Refresh(ctx context.Context) error {
	x.load()
	documents, err := x.Documents(ctx)
	if err != nil || documents == nil {
		return err
	}
	missing := x.missing(documents)
	// Passages that failed when embedded alone come last, so that they do not delay the others.
	slices.SortStableFunc(missing, func(a, b passage) int { return cmp.Compare(x.failed[a.key], x.failed[b.key]) })
	defer x.save()
	for done, told := 0, time.Now(); done < len(missing); {
		batch := missing[done:min(done+x.batch, len(missing))]
		if err := x.embed(ctx, batch); err != nil {
			return err
		}
		if done += len(batch); time.Since(told) > saveEvery {
			told = time.Now()
			x.Log.Info(x.Name+" are being embedded", "done", done, "of", len(missing))
			x.save()
		}
	}
	if len(missing) > maxBatch {
		x.Log.Info("all "+x.Name+" are embedded", "passages", len(missing))
	}
	return nil
}

// embed embeds a batch. After an error the next batch is smaller, because the batch may
// have been too large or contain a passage that the embedder rejects.
func (x *Index) embed(ctx context.Context, batch []passage) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	texts := make([]string, len(batch))
	for i, p := range batch {
		texts[i] = p.text
	}
	vectors, err := x.Embedder.Embed(ctx, texts)
	if err == nil {
		err = x.add(batch, vectors)
	}
	if err == nil {
		if x.smooth++; x.smooth%growAfter == 0 {
			x.batch = min(x.batch*2, maxBatch)
		}
		return nil
	}
	x.smooth = 0
	if len(batch) == 1 {
		x.failed[batch[0].key]++
	}
	x.batch = max(1, len(batch)/2)
	return err
}
